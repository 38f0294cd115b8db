-- For wrk: requests with a method and a body of the size that the environment names.
wrk.method = os.getenv("BENCH_METHOD")
wrk.body = string.rep("x", tonumber(os.getenv("BENCH_SIZE")))
