// Milliseconds that GNUstep takes to filter the dictionaries of Benchmarks/Sources/dropin in an NSArray.
//
//     gnustep-dictionaries COUNT ROUNDS < formats     a line in: format; a line out: format, way, milliseconds, matches
//
// The time is the median of all rounds. Built by dropin.py.
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double threadTime(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

static int compare(const void *left, const void *right) {
    double a = *(const double *)left, b = *(const double *)right;
    return a < b ? -1 : a > b;
}

int main(int count, char **arguments) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    if (count < 3) return 2;
    int records = atoi(arguments[1]), rounds = atoi(arguments[2]);
    NSArray *names = [@"Anna Smith Bob Blacksmith Clara Arthur Dora Emil" componentsSeparatedByString: @" "];
    NSArray *cities = [@"Paris Berlin Lyon Rome Oslo Madrid Vienna" componentsSeparatedByString: @" "];
    NSMutableArray *all = [NSMutableArray array];
    for (int number = 0; number < records; number++)
        [all addObject: [NSDictionary dictionaryWithObjectsAndKeys:
            [NSString stringWithFormat: @"%@ %d", [names objectAtIndex: number % 8], number], @"name",
            [NSNumber numberWithInt: (int)(number * 37L % 90)], @"age", [cities objectAtIndex: number % 7], @"city",
            [NSNumber numberWithBool: number % 3 != 0], @"active", nil]];
    NSArray *array = [NSArray arrayWithArray: all];
    double *spent = calloc(rounds, sizeof *spent);
    char line[1024];
    while (rounds > 0 && fgets(line, sizeof line, stdin)) {
        line[strcspn(line, "\n")] = 0;
        NSPredicate *predicate = [NSPredicate predicateWithFormat: [NSString stringWithUTF8String: line] argumentArray: nil];
        int matches = 0;
        for (int round = 0; round < rounds; round++) {
            NSAutoreleasePool *inner = [NSAutoreleasePool new];
            double start = threadTime();
            matches = [[array filteredArrayUsingPredicate: predicate] count];
            spent[round] = threadTime() - start;
            [inner drain];
        }
        qsort(spent, rounds, sizeof *spent, compare);
        printf("%s\tGNUstep\t%.1f\t%d\n", line, spent[rounds / 2], matches);
    }
    [pool drain];
    return 0;
}
