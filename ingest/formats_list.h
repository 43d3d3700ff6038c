// The formats, in the order they are listed. No include guard: it is included once for each use.
FORMAT(perf_script)
FORMAT(perf_stat)
FORMAT(pgbench)
FORMAT(psql)
FORMAT(csv)
