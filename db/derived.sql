-- What can be rebuilt from the facts: `spinfault archive rebuild` drops all of it and runs this file.
-- No query of the program depends on these views; they are for people with a sqlite3 shell.

-- Weight and samples of each function of each profile. `total` counts a sample once however often the
-- function is in its chain. Filled at ingest, and by rebuild.
CREATE TABLE profile_function (
    profile_id    INTEGER NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
    symbol_id     INTEGER NOT NULL, -- 0: no symbol in the text
    dso_id        INTEGER NOT NULL, -- 0: no dso in the text
    self          INTEGER NOT NULL,
    total         INTEGER NOT NULL,
    self_samples  INTEGER NOT NULL,
    total_samples INTEGER NOT NULL,
    PRIMARY KEY (profile_id, symbol_id, dso_id)
) STRICT, WITHOUT ROWID;

-- What scans keep for the next one. Empty after a rebuild; filled by scans, within a limit.
CREATE TABLE scan_cache (
    key   TEXT PRIMARY KEY,
    used  INTEGER NOT NULL, -- seconds since the epoch, as of the day
    bytes INTEGER NOT NULL, -- of `value`
    value BLOB NOT NULL
) STRICT;
CREATE INDEX scan_cache_age ON scan_cache (used, bytes);

-- Functions by profile, with names: SELECT * FROM hot WHERE profile_id = 1 ORDER BY total DESC.
CREATE VIEW hot AS
SELECT f.profile_id,
       coalesce(s.text, '[unknown]') AS symbol,
       coalesce(d.text, '[unknown]') AS dso,
       f.self, f.total, f.self_samples, f.total_samples,
       round(100.0 * f.self / nullif(p.weight, 0), 2) AS self_percent,
       round(100.0 * f.total / nullif(p.weight, 0), 2) AS total_percent
FROM profile_function f
JOIN profile p ON p.id = f.profile_id
LEFT JOIN string s ON s.id = f.symbol_id
LEFT JOIN string d ON d.id = f.dso_id;

CREATE VIEW profiles AS
SELECT p.id, p.source_id, src.path, e.text AS event, p.samples, p.weight, src.lost
FROM profile p
JOIN source src ON src.id = p.source_id
LEFT JOIN string e ON e.id = p.event_id;

-- Samples with names instead of numbers, without the chain.
CREATE VIEW samples AS
SELECT s.source_id, s.seq, s.profile_id, t.pid, t.tid, c.text AS comm, s.cpu, s.time_ns, s.weight,
       s.addr, s.node
FROM sample s
JOIN thread t ON t.source_id = s.source_id AND t.id = s.thread
LEFT JOIN string c ON c.id = t.comm_id;

CREATE VIEW mappings AS
SELECT r.source_id, r.seq, r.pid, r.time_ns, r.addr, r.len, r.pgoff, r.prot, f.text AS filename
FROM side_record r
LEFT JOIN string f ON f.id = r.filename_id
WHERE r.type = 'mmap';

CREATE VIEW runs AS
SELECT r.id, r.source_id, w.benchmark, w.name AS workload, h.name AS host, h.instance, h.arch,
       h.vcpus, k.text AS kernel, r.preempt, r.preempt_source, r.preempt_confidence, r.page,
       r.page_asked, r.page_kind, r.clients, r.threads,
       strftime('%Y-%m-%dT%H:%M:%SZ', r.started_ns / 1000000000, 'unixepoch') AS started,
       r.status, r.why, src.path
FROM run r
JOIN workload w ON w.id = r.workload_id
JOIN source src ON src.id = r.source_id
LEFT JOIN host h ON h.id = r.host_id
LEFT JOIN string k ON k.id = r.kernel_id;

CREATE VIEW run_tags AS
SELECT t.run_id, k.text AS key, v.text AS value
FROM run_tag t
JOIN string k ON k.id = t.key_id
JOIN string v ON v.id = t.value_id;

CREATE VIEW source_tags AS
SELECT t.source_id, k.text AS key, v.text AS value
FROM source_tag t
JOIN string k ON k.id = t.key_id
JOIN string v ON v.id = t.value_id;

CREATE VIEW metrics AS
SELECT m.run_id, m.seq, k.name, m.value, k.unit, k.source_unit, k.better, k.provenance, m.n,
       m.stddev, m.why
FROM metric m
JOIN metric_kind k ON k.id = m.kind_id;

CREATE VIEW points AS
SELECT s.run_id, n.text AS name, s.epoch, p.t, p.value
FROM series s
JOIN string n ON n.id = s.name_id
JOIN series_point p ON p.series_id = s.id;

CREATE VIEW waits AS
SELECT w.source_id, w.seq, w.run_id, b.text AS backend_type, y.text AS event_type, e.text AS event,
       s.text AS state, w.count, w.t
FROM wait_sample w
LEFT JOIN string b ON b.id = w.backend_type_id
LEFT JOIN string y ON y.id = w.event_type_id
LEFT JOIN string e ON e.id = w.event_id
LEFT JOIN string s ON s.id = w.state_id;

CREATE VIEW environments AS
SELECT e.source_id, k.scope, k.origin, k.name AS key, e.value, k.unit, e.phase
FROM environment e
JOIN environment_key k ON k.id = e.key_id;

CREATE VIEW sections AS
SELECT s.id, s.scan_id, f.text AS file, fn.text AS function, s.acquire_line, s.release_lines,
       a.text AS api, m.text AS model, l.text AS lock, s.scope, s.mode, s.entered_held, s.left_held,
       s.cost
FROM section s
JOIN string f ON f.id = s.file_id
LEFT JOIN string fn ON fn.id = s.function_id
LEFT JOIN string a ON a.id = s.api_id
LEFT JOIN string m ON m.id = s.model_id
LEFT JOIN string l ON l.id = s.lock_id;

CREATE VIEW accesses AS
SELECT a.section_id, a.seq, a.line, o.text AS object, a.rw, a.residency, a.why, a.bytes, a.pages_4k
FROM section_access a
LEFT JOIN string o ON o.id = a.object_id;

CREATE VIEW findings AS
SELECT n.id, n.scan_id, n.rule, n.severity, n.confidence, f.text AS file, n.line, n."column",
       fn.text AS function, l.text AS lock, n.acquire_line, o.text AS object, m.text AS message,
       n.fingerprint, n.suppressed, n.baseline
FROM finding n
JOIN string f ON f.id = n.file_id
LEFT JOIN string fn ON fn.id = n.function_id
LEFT JOIN string l ON l.id = n.lock_id
LEFT JOIN string o ON o.id = n.object_id
LEFT JOIN string m ON m.id = n.message_id;
