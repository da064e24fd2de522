// Counts the people of a tab-separated file that each predicate selects, with GNUstep's NSPredicate over dictionaries.
//
//     gnustep FILE ROUNDS < predicates     a line in: name, tab, format; a line out: name, nanoseconds a record, matches
//
// A predicate that GNUstep refuses is printed with a dash. Built by compare.py.
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *fields[] = {"id", "firstName", "lastName", "email", "city", "age", "salary", "active", "createdAt", "tags", "nickname", "bio"};

static double threadTime(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static id value(int field, const char *text) {
    NSString *string = [NSString stringWithUTF8String: text];
    switch (field) {
        case 0: case 5: return [NSNumber numberWithInt: atoi(text)];
        case 6: case 8: return [NSNumber numberWithDouble: atof(text)];
        case 7: return [NSNumber numberWithBool: *text == '1'];
        case 9: return *text ? [string componentsSeparatedByString: @"|"] : [NSArray array];
        case 10: return strcmp(text, "\\N") ? string : nil;
        default: return string;
    }
}

static NSMutableArray *people(const char *path) {
    NSMutableArray *all = [NSMutableArray array];
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    while (file && getline(&line, &room, file) > 0) {
        NSMutableDictionary *person = [NSMutableDictionary dictionary];
        line[strcspn(line, "\n")] = 0;
        char *rest = line;
        for (int field = 0; field < 12 && rest; field++) {
            id found = value(field, strsep(&rest, "\t"));
            if (found) [person setObject: found forKey: [NSString stringWithUTF8String: fields[field]]];
        }
        [all addObject: person];
    }
    return all;
}

int main(int count, char **arguments) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    if (count < 3) return 2;
    NSMutableArray *all = [people(arguments[1]) retain];
    int rounds = atoi(arguments[2]), total = [all count];
    printf("version\t%d.%d\t%d\n", GNUSTEP_BASE_MAJOR_VERSION, GNUSTEP_BASE_MINOR_VERSION, total);
    char line[1024];
    while (fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        char *format = line, *name = strsep(&format, "\t");
        if (!format) continue;
        NS_DURING
            NSPredicate *predicate = [NSPredicate predicateWithFormat: [NSString stringWithUTF8String: format] argumentArray: nil];
            double least = 0;
            int matches = 0;
            for (int round = 0; round < rounds; round++) {
                NSAutoreleasePool *inner = [NSAutoreleasePool new];
                double start = threadTime();
                matches = 0;
                for (int index = 0; index < total; index++) {
                    if ((index & 1023) == 1023) { [inner drain]; inner = [NSAutoreleasePool new]; }
                    matches += [predicate evaluateWithObject: [all objectAtIndex: index]] ? 1 : 0;
                }
                double spent = (threadTime() - start) / total;
                if (round == 0 || spent < least) least = spent;
                [inner drain];
            }
            printf("%s\t%.3f\t%d\n", name, least, matches);
        NS_HANDLER
            printf("%s\t-\t-\n", name);
        NS_ENDHANDLER
        fflush(stdout);
    }
    [pool drain];
    return 0;
}
