// Nanoseconds an object that GNUstep takes to filter an NSArray of objects with properties, as `bench nspredicate` does.
//
//     gcc $(gnustep-config --objc-flags) -MF /dev/null -std=gnu99 -O2 -o objects gnustep-objects.m $(gnustep-config --base-libs)
#import <Foundation/Foundation.h>
#include <stdio.h>
#include <time.h>

@interface Member : NSObject {
    int age;
    NSString *lastName;
    NSNumber *rank;
}
@end

@implementation Member
- (id) initWithNumber: (int)number name: (NSString *)name {
    if ((self = [super init])) {
        age = number * 37 % 90;
        lastName = [name retain];
        rank = number % 3 ? [[NSNumber alloc] initWithInt: number] : nil;
    }
    return self;
}
- (int) age { return age; }
- (NSString *) lastName { return lastName; }
- (NSNumber *) rank { return rank; }
@end

static double threadTime(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

int main(void) {
    NSAutoreleasePool *pool = [NSAutoreleasePool new];
    NSArray *names = [@"Smith Smirnova Schmidt Martin Garcia Johansson Okafor Tanaka" componentsSeparatedByString: @" "];
    NSMutableArray *all = [NSMutableArray array];
    for (int number = 0; number < 1000; number++)
        [all addObject: [[Member alloc] initWithNumber: number name: [names objectAtIndex: number % 8]]];
    NSArray *formats = [@"age >= 21;age >= 21 AND rank != nil;lastName BEGINSWITH 'S'" componentsSeparatedByString: @";"];
    for (NSString *format in formats) {
        NSPredicate *predicate = [NSPredicate predicateWithFormat: format argumentArray: nil];
        double least = 0;
        int matches = 0;
        for (int round = 0; round < 31; round++) {
            NSAutoreleasePool *inner = [NSAutoreleasePool new];
            double start = threadTime();
            matches = [[all filteredArrayUsingPredicate: predicate] count];
            double spent = (threadTime() - start) / 1000;
            if (round == 0 || spent < least) least = spent;
            [inner drain];
        }
        printf("%.0f\t%d\t%s\n", least, matches, [format UTF8String]);
    }
    [pool drain];
    return 0;
}
