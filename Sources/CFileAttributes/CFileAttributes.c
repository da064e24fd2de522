#include "CFileAttributes.h"
