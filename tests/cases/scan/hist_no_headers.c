// Alone, without the headers of its project: nothing declares the types, the globals, the levels
// of messages. Who is called with the lock held shows all the same.
#include "postgres.h"
#include "storage/spin.h"

typedef struct Feed
{
    slock_t mutex;
    NameData name;
    XLogRecPtr last;
} Feed;

static void feed_publish(XLogRecPtr upto)
{
    Feed *feed = MyFeed;

    SpinLockAcquire(&feed->mutex);
    switch (FeedCtl->state)
    {
        case FEED_STOPPED:
            SpinLockRelease(&feed->mutex);
            elog(ERROR, "feed is stopped");
        case FEED_RUNNING:
            break;
        default:
            elog(PANIC, "feed in state %d" UNKNOWN_FORMAT, FeedCtl->state);
    }
    feed->last = upto;
    SpinLockRelease(&feed->mutex);
}

Datum feed_status(FEED_ARGS)
{
    Relation rel = relation_of(PG_GETARG_OID(0));
    foreach_feed(cell, rel->feeds)
    {
        Feed *feed = (Feed *) lfirst(cell);
        char *name;

        SpinLockAcquire(&feed->mutex);
        name = pstrdup(NameStr(feed->name));
        SpinLockRelease(&feed->mutex);
        report(name, rel->rd_id);
    }
    return (Datum) 0;
}

// expect: file degraded
// expect: section 17 21,29 lock=MyFeed->mutex scope=singleton
// expect: section 40 42 lock=feed->mutex scope=instance
// expect: finding fault-under-lock low 18 object=FeedCtl->state
// expect: finding error-exit high 26 object=elog
// expect: finding alloc medium 41 object=pstrdup
// expect: finding unknown-call low 41 object=NameStr
