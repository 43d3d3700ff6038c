-- The archive, version 1: the facts. Nothing here is ever recomputed; what can be is in derived.sql.
--
-- Two kinds of thing are put in whole and taken out whole: a source (one ingested file, known by the
-- SHA-256 of its content) and a scan (one look at a source tree). Everything else belongs to one of
-- them, directly or through a run, section or finding, and goes when it goes.
--
-- Conventions: NULL is "not known", never 0. Times are nanoseconds, `*_ns` since the epoch unless a
-- comment says otherwise. `seq` keeps the order of the source. Addresses are unsigned 64-bit numbers in
-- SQLite's signed ones: printf('%x', addr) shows them right. Words in CHECKs are those of the
-- JSON output. A column named *_id whose table is not named refers to `string`.

-- Text that repeats (symbols, paths, functions, setting names), stored once. A symbol or path that is
-- not valid UTF-8 keeps its bytes as a blob.
CREATE TABLE string (
    id   INTEGER PRIMARY KEY,
    text ANY NOT NULL UNIQUE CHECK (typeof(text) IN ('text', 'blob'))
) STRICT;

-- Which program made or migrated this file, and when. user_version says what it is now.
CREATE TABLE schema_history (
    version    INTEGER PRIMARY KEY,
    program    TEXT NOT NULL, -- version of spinfault
    applied_ns INTEGER NOT NULL
) STRICT;

-- ---- Sources -------------------------------------------------------------------------------------

-- One ingested file. The counts say what was stored with it: `archive verify` compares.
CREATE TABLE source (
    id           INTEGER PRIMARY KEY AUTOINCREMENT, -- in the order of ingest; never used twice
    path         TEXT NOT NULL,                     -- as given; '-' for standard input
    format       TEXT NOT NULL,                     -- 'perf-script', 'pgbench', …
    sha256       TEXT NOT NULL UNIQUE CHECK (length(sha256) = 64), -- of the content, decompressed
    bytes        INTEGER NOT NULL CHECK (bytes >= 0),              -- of the content, decompressed
    records      INTEGER NOT NULL CHECK (records >= 0),
    skipped      INTEGER NOT NULL CHECK (skipped >= 0), -- lines not understood; `skipped` has some
    lost         INTEGER NOT NULL CHECK (lost >= 0),    -- samples the recorder says it lost
    truncated    INTEGER NOT NULL CHECK (truncated IN (0, 1)), -- the last record was cut off
    ingested_ns  INTEGER NOT NULL,
    runs         INTEGER NOT NULL DEFAULT 0,
    metrics      INTEGER NOT NULL DEFAULT 0,
    points       INTEGER NOT NULL DEFAULT 0, -- of series
    samples      INTEGER NOT NULL DEFAULT 0,
    side_records INTEGER NOT NULL DEFAULT 0,
    waits        INTEGER NOT NULL DEFAULT 0,
    environment  INTEGER NOT NULL DEFAULT 0
) STRICT;

-- What was said about the whole file (--set, a sidecar).
CREATE TABLE source_tag (
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    key_id    INTEGER NOT NULL REFERENCES string (id),
    value_id  INTEGER NOT NULL REFERENCES string (id),
    is_number INTEGER NOT NULL CHECK (is_number IN (0, 1)),
    PRIMARY KEY (source_id, key_id)
) STRICT, WITHOUT ROWID;

-- Lines that were not understood, the first of them one by one.
CREATE TABLE skipped (
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    seq       INTEGER NOT NULL,
    line      INTEGER NOT NULL, -- 0: the format has no lines
    why       TEXT NOT NULL,
    text      TEXT,
    PRIMARY KEY (source_id, seq)
) STRICT, WITHOUT ROWID;

-- ---- Runs ----------------------------------------------------------------------------------------

-- The machine of a run, as far as it was told.
CREATE TABLE host (
    id       INTEGER PRIMARY KEY,
    name     TEXT,
    instance TEXT, -- 'm8g.24xlarge'
    arch     TEXT,
    vcpus    INTEGER CHECK (vcpus > 0)
) STRICT;
CREATE UNIQUE INDEX host_identity ON host (
    coalesce(name, ''), coalesce(instance, ''), coalesce(arch, ''), coalesce(vcpus, 0));

CREATE TABLE workload (
    id        INTEGER PRIMARY KEY,
    benchmark TEXT NOT NULL, -- 'pgbench'
    name      TEXT           -- 'simple update'
) STRICT;
CREATE UNIQUE INDEX workload_identity ON workload (benchmark, coalesce(name, ''));

-- One execution of a benchmark: a point in the grid, with free tags in run_tag.
CREATE TABLE run (
    id                 INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id          INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    workload_id        INTEGER NOT NULL REFERENCES workload (id),
    host_id            INTEGER REFERENCES host (id),
    kernel_id          INTEGER REFERENCES string (id),
    preempt            TEXT CHECK (preempt IN ('none', 'voluntary', 'full', 'lazy', 'rt')),
    preempt_source     TEXT, -- where that was read
    preempt_confidence TEXT CHECK (preempt_confidence IN ('certain', 'inferred', 'guess', 'unknown')),
    page               TEXT CHECK (page IN ('4K', '16K', '64K', 'THP', '2M', '1G')), -- really used
    page_asked         TEXT CHECK (page_asked IN ('4K', '16K', '64K', 'THP', '2M', '1G')),
    page_kind          TEXT CHECK (page_kind IN ('base', 'thp', 'hugetlb')),
    clients            INTEGER CHECK (clients >= 0),
    threads            INTEGER CHECK (threads >= 0),
    started_ns         INTEGER,
    status             TEXT NOT NULL CHECK (status IN ('complete', 'aborted')),
    why                TEXT
) STRICT;
CREATE INDEX run_by_source ON run (source_id);
CREATE INDEX run_by_grid ON run (preempt, page);
CREATE INDEX run_by_page ON run (page);
CREATE INDEX run_by_workload ON run (workload_id);
CREATE INDEX run_by_host ON run (host_id);
CREATE INDEX run_by_kernel ON run (kernel_id);
CREATE INDEX run_by_clients ON run (clients);
CREATE INDEX run_by_start ON run (started_ns);

-- Settings without a column, and values that their column does not take.
CREATE TABLE run_tag (
    run_id    INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    key_id    INTEGER NOT NULL REFERENCES string (id),
    value_id  INTEGER NOT NULL REFERENCES string (id),
    is_number INTEGER NOT NULL CHECK (is_number IN (0, 1)),
    PRIMARY KEY (run_id, key_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX run_tag_by_value ON run_tag (key_id, value_id);

-- What kind of number a metric is. Values are in base units (s, bytes, counts, 1/s).
CREATE TABLE metric_kind (
    id          INTEGER PRIMARY KEY,
    name        TEXT NOT NULL, -- 'tps', 'latency_avg', …
    unit        TEXT,          -- '1/s', 's', 'B', '1'
    source_unit TEXT,          -- in the source, when it differs
    better      TEXT NOT NULL CHECK (better IN ('unknown', 'higher', 'lower')),
    provenance  TEXT NOT NULL CHECK (provenance IN ('measured', 'published', 'derived', 'claimed'))
) STRICT;
CREATE UNIQUE INDEX metric_kind_identity ON metric_kind (
    name, coalesce(unit, ''), coalesce(source_unit, ''), better, provenance);

CREATE TABLE metric (
    run_id  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    kind_id INTEGER NOT NULL REFERENCES metric_kind (id),
    value   REAL,
    n       INTEGER CHECK (n > 0), -- runs behind the value
    stddev  REAL,
    why     TEXT, -- of a value that is not there
    PRIMARY KEY (run_id, seq),
    CHECK (value IS NOT NULL OR why IS NOT NULL)
) STRICT, WITHOUT ROWID;
CREATE INDEX metric_by_kind ON metric (kind_id);

CREATE TABLE series (
    id      INTEGER PRIMARY KEY,
    run_id  INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
    name_id INTEGER NOT NULL REFERENCES string (id),
    epoch   INTEGER NOT NULL CHECK (epoch IN (0, 1)), -- t counts from 1970, not from the start
    UNIQUE (run_id, name_id, epoch)
) STRICT;

CREATE TABLE series_point (
    series_id INTEGER NOT NULL REFERENCES series (id) ON DELETE CASCADE,
    t         REAL NOT NULL, -- s
    seq       INTEGER NOT NULL,
    value     REAL,
    PRIMARY KEY (series_id, t, seq)
) STRICT, WITHOUT ROWID;

-- How often sessions were seen waiting for what.
CREATE TABLE wait_sample (
    source_id       INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    seq             INTEGER NOT NULL,
    run_id          INTEGER REFERENCES run (id) ON DELETE CASCADE,
    backend_type_id INTEGER REFERENCES string (id),
    event_type_id   INTEGER REFERENCES string (id),
    event_id        INTEGER REFERENCES string (id),
    state_id        INTEGER REFERENCES string (id),
    count           INTEGER NOT NULL CHECK (count >= 0),
    t               REAL, -- s since the epoch
    PRIMARY KEY (source_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX wait_by_run ON wait_sample (run_id);

-- Facts about a host, server or process: settings, /proc/vmstat, meminfo, smaps.
CREATE TABLE environment_key (
    id     INTEGER PRIMARY KEY,
    scope  TEXT NOT NULL, -- 'host', 'server', 'process', 'container'
    origin TEXT NOT NULL, -- '/proc/vmstat', 'pg_settings'
    name   TEXT NOT NULL,
    unit   TEXT
) STRICT;
CREATE UNIQUE INDEX environment_key_identity
    ON environment_key (name, origin, scope, coalesce(unit, ''));

CREATE TABLE environment (
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    seq       INTEGER NOT NULL,
    key_id    INTEGER NOT NULL REFERENCES environment_key (id),
    phase     TEXT CHECK (phase IN ('before', 'after')), -- of the run it frames
    value     TEXT,
    PRIMARY KEY (source_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX environment_by_key ON environment (key_id);

-- ---- Profiles ------------------------------------------------------------------------------------

-- The samples of one event in one source.
CREATE TABLE profile (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    event_id  INTEGER REFERENCES string (id),
    samples   INTEGER NOT NULL CHECK (samples >= 0),
    weight    INTEGER NOT NULL CHECK (weight >= 0) -- sum of the periods, or of 1 each
) STRICT;
CREATE UNIQUE INDEX profile_by_source ON profile (source_id, id);

-- A thread under one name: a thread that renames itself has two rows.
CREATE TABLE thread (
    source_id INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    id        INTEGER NOT NULL, -- from 1, in the source
    pid       INTEGER,
    tid       INTEGER,
    comm_id   INTEGER REFERENCES string (id),
    PRIMARY KEY (source_id, id)
) STRICT, WITHOUT ROWID;

-- One place in a program, as printed. Call sites differ by `at`, which is what tells two
-- acquires of one lock in one function apart.
CREATE TABLE frame (
    source_id  INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    id         INTEGER NOT NULL, -- from 1, in the source
    symbol_id  INTEGER REFERENCES string (id),
    dso_id     INTEGER REFERENCES string (id),
    at         INTEGER, -- offset into the symbol; without one ("[unknown]"), its address
    inlined    INTEGER NOT NULL CHECK (inlined IN (0, 1)),
    srcline_id INTEGER REFERENCES string (id), -- 'file.c:12'
    PRIMARY KEY (source_id, id)
) STRICT, WITHOUT ROWID;

-- The stack tree of a source. Node 0 is the root and is not stored; a child follows its parent. A
-- node is two LEB128 numbers in `data`: its id minus its parent's, and its frame. As rows they were
-- four times larger and half of the cost of an ingest; profile_function (derived) and the view
-- `hot` answer the usual questions in SQL.
CREATE TABLE stack_block (
    source_id  INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    first_node INTEGER NOT NULL CHECK (first_node > 0),
    nodes      INTEGER NOT NULL CHECK (nodes > 0),
    data       BLOB NOT NULL,
    PRIMARY KEY (source_id, first_node)
) STRICT, WITHOUT ROWID;

CREATE TABLE sample (
    source_id  INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL, -- from 0, over all events of the source
    profile_id INTEGER NOT NULL,
    node       INTEGER NOT NULL CHECK (node >= 0), -- where the chain ends in the stack tree
    thread     INTEGER NOT NULL,
    cpu        INTEGER,
    time_ns    INTEGER, -- of the recorder's clock
    weight     INTEGER NOT NULL CHECK (weight >= 0),
    addr       INTEGER, -- data address
    PRIMARY KEY (source_id, seq),
    FOREIGN KEY (source_id, profile_id) REFERENCES profile (source_id, id) ON DELETE CASCADE,
    FOREIGN KEY (source_id, thread) REFERENCES thread (source_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What few samples have.
CREATE TABLE sample_extra (
    source_id      INTEGER NOT NULL,
    seq            INTEGER NOT NULL,
    misc_id        INTEGER REFERENCES string (id), -- 'U', 'K', …
    addr_symbol_id INTEGER REFERENCES string (id),
    addr_dso_id    INTEGER REFERENCES string (id),
    addr_offset    INTEGER,
    data_src       INTEGER,
    mem_weight     INTEGER,
    phys_addr      INTEGER,
    machine_pid    INTEGER,
    vcpu           INTEGER,
    tod            ANY,
    payload        ANY, -- of a tracepoint, as printed
    brstack        ANY, -- as printed
    PRIMARY KEY (source_id, seq),
    FOREIGN KEY (source_id, seq) REFERENCES sample (source_id, seq) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- mmap, comm, fork, exit, lost, switch, …: what the recorder says beside the samples.
CREATE TABLE side_record (
    source_id   INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
    seq         INTEGER NOT NULL,
    type        TEXT NOT NULL,
    pid         INTEGER,
    tid         INTEGER,
    cpu         INTEGER,
    time_ns     INTEGER, -- of the recorder's clock
    comm_id     INTEGER REFERENCES string (id),
    addr        INTEGER, -- mmap, ksymbol
    len         INTEGER,
    pgoff       INTEGER, -- mmap
    ino         INTEGER,
    maj         INTEGER,
    min         INTEGER,
    prot        TEXT,
    filename_id INTEGER REFERENCES string (id),
    new_comm_id INTEGER REFERENCES string (id), -- comm
    exec        INTEGER CHECK (exec IN (0, 1)),
    ppid        INTEGER, -- fork, exit
    ptid        INTEGER,
    lost        INTEGER, -- lost
    switch_out  INTEGER CHECK (switch_out IN (0, 1)), -- switch
    preempt     INTEGER CHECK (preempt IN (0, 1)),
    next_pid    INTEGER,
    next_tid    INTEGER,
    cgroup      INTEGER, -- cgroup
    name_id     INTEGER REFERENCES string (id),
    text        ANY, -- what else the record says, as printed
    PRIMARY KEY (source_id, seq)
) STRICT, WITHOUT ROWID;

-- ---- Scans ---------------------------------------------------------------------------------------

-- One scan and its summary. Paths are relative to `root`, with '/'.
CREATE TABLE scan (
    id         INTEGER PRIMARY KEY AUTOINCREMENT,
    root       TEXT NOT NULL,
    version    TEXT NOT NULL, -- of spinfault
    revision   TEXT,          -- commit of the scanned tree
    started_ns INTEGER NOT NULL,
    files      INTEGER NOT NULL,
    parsed     INTEGER NOT NULL,
    cached     INTEGER NOT NULL,
    degraded   INTEGER NOT NULL,
    failed     INTEGER NOT NULL,
    skipped    INTEGER NOT NULL,
    sections   INTEGER NOT NULL,
    none       INTEGER NOT NULL, -- findings by severity, neither suppressed nor in the baseline
    low        INTEGER NOT NULL,
    medium     INTEGER NOT NULL,
    high       INTEGER NOT NULL,
    suppressed INTEGER NOT NULL,
    baseline   INTEGER NOT NULL,
    seconds    REAL NOT NULL,
    stored_sections INTEGER NOT NULL DEFAULT 0, -- rows of this archive: `archive verify` compares
    stored_findings INTEGER NOT NULL DEFAULT 0,
    UNIQUE (root, started_ns)
) STRICT;
CREATE INDEX scan_by_start ON scan (started_ns);

-- Files that were not plainly parsed.
CREATE TABLE scan_file (
    scan_id INTEGER NOT NULL REFERENCES scan (id) ON DELETE CASCADE,
    seq     INTEGER NOT NULL,
    file_id INTEGER NOT NULL REFERENCES string (id),
    status  TEXT NOT NULL CHECK (status IN ('parsed', 'degraded', 'failed', 'skipped')),
    why_id  INTEGER REFERENCES string (id),
    PRIMARY KEY (scan_id, seq)
) STRICT, WITHOUT ROWID;

-- One critical section: one acquire site.
CREATE TABLE section (
    id            INTEGER PRIMARY KEY,
    scan_id       INTEGER NOT NULL REFERENCES scan (id) ON DELETE CASCADE,
    file_id       INTEGER NOT NULL REFERENCES string (id),
    function_id   INTEGER REFERENCES string (id),
    acquire_line  INTEGER NOT NULL,
    release_lines TEXT NOT NULL CHECK (release_lines GLOB '[[]*]'), -- JSON: '[107,115]'
    api_id        INTEGER REFERENCES string (id), -- 'SpinLockAcquire'
    model_id      INTEGER REFERENCES string (id), -- 'postgresql'
    lock_id       INTEGER REFERENCES string (id), -- 'pool->guard'
    scope         TEXT NOT NULL CHECK (scope IN ('unknown', 'singleton', 'instance')),
    mode          TEXT NOT NULL CHECK (mode IN ('exclusive', 'shared', 'try')),
    entered_held  INTEGER NOT NULL CHECK (entered_held IN (0, 1)),
    left_held     INTEGER NOT NULL CHECK (left_held IN (0, 1)),
    cost          INTEGER NOT NULL, -- estimated, in cached memory accesses
    excerpt_id    INTEGER REFERENCES string (id), -- the source around it
    excerpt_line  INTEGER NOT NULL
) STRICT;
CREATE INDEX section_by_scan ON section (scan_id);

CREATE TABLE section_access (
    section_id INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    object_id  INTEGER REFERENCES string (id), -- 'slots[].next_free'
    rw         TEXT NOT NULL CHECK (rw IN ('read', 'write')),
    residency  TEXT NOT NULL CHECK (residency IN ('unknown', 'same-page', 'touched-before', 'stack',
                                                  'model', 'may-fault')),
    why        TEXT NOT NULL CHECK (why IN ('none', 'run-time-index', 'pointer', 'other-page', 'copy',
                                            'fresh-heap', 'fresh-mapping', 'walk', 'global')),
    bytes      INTEGER,
    pages_4k   INTEGER,
    PRIMARY KEY (section_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE section_call (
    section_id INTEGER NOT NULL REFERENCES section (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    line       INTEGER NOT NULL,
    name_id    INTEGER REFERENCES string (id),
    effect     TEXT NOT NULL CHECK (effect IN ('unknown', 'pure', 'touches', 'syscall', 'blocks',
                                               'allocates', 'logs', 'no-return')),
    PRIMARY KEY (section_id, seq)
) STRICT, WITHOUT ROWID;

CREATE TABLE finding (
    id            INTEGER PRIMARY KEY,
    scan_id       INTEGER NOT NULL REFERENCES scan (id) ON DELETE CASCADE,
    rule          TEXT NOT NULL, -- 'fault-under-lock'
    severity      TEXT NOT NULL CHECK (severity IN ('none', 'low', 'medium', 'high')),
    confidence    TEXT NOT NULL CHECK (confidence IN ('low', 'medium', 'high')),
    file_id       INTEGER NOT NULL REFERENCES string (id),
    line          INTEGER NOT NULL,
    "column"      INTEGER NOT NULL,
    function_id   INTEGER REFERENCES string (id),
    lock_id       INTEGER REFERENCES string (id),
    acquire_line  INTEGER NOT NULL,
    object_id     INTEGER REFERENCES string (id),
    message_id    INTEGER REFERENCES string (id),
    suggestion_id INTEGER REFERENCES string (id),
    fingerprint   TEXT NOT NULL, -- the same for the same finding in another scan
    suppressed    INTEGER NOT NULL CHECK (suppressed IN (0, 1)),
    baseline      INTEGER NOT NULL CHECK (baseline IN (0, 1))
) STRICT;
CREATE INDEX finding_by_scan ON finding (scan_id);
CREATE INDEX finding_by_fingerprint ON finding (fingerprint, scan_id);

-- The path of a finding: acquired here, called here, touched here, released here.
CREATE TABLE finding_step (
    finding_id INTEGER NOT NULL REFERENCES finding (id) ON DELETE CASCADE,
    seq        INTEGER NOT NULL,
    file_id    INTEGER REFERENCES string (id),
    line       INTEGER NOT NULL,
    what_id    INTEGER REFERENCES string (id),
    PRIMARY KEY (finding_id, seq)
) STRICT, WITHOUT ROWID;
