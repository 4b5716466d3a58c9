// Package journal keeps crawls on the servers of NATS JetStream, so that many workers on
// many machines share them. [Connect] returns a [Cluster], which has jobs: [Cluster.Submit]
// creates one, [Worker.Claim] hands its sites out to this worker, one at a time, as a [Shard],
// and [Follower.Replay] reads a finished site.
//
// A job has a stream with a subject for each group of sites, its log. A site is a group
// of its own unless there are very many. The records of a log are what a crawl commits.
// Only the owner of a group appends to its log: every record names the sequence of the
// one before it, and the first record of a new owner, a takeover, makes every later
// append of the owner before fail. That fence is what keeps the log right. Leases, in a
// key-value bucket, only keep two workers from requesting the same site.
package journal
