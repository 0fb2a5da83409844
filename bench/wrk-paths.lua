-- wrk requests one path of a file after another, or the URL again and again without a file, and prints its counts as one line of JSON.
local paths, at = {}, 0
function init(args)
  if args[1] == nil then
    -- A request that never changes costs wrk the least.
    request = nil
    return
  end
  for line in io.lines(args[1]) do paths[#paths + 1] = line end
end
function request()
  at = at % #paths + 1
  return wrk.format("GET", paths[at])
end
function done(summary, latency)
  io.write(string.format(
    '{"requests":%d,"seconds":%.6f,"bytes":%d,"failed":%d,"p50":%.3f,"p95":%.3f,"p99":%.3f}\n',
    summary.requests, summary.duration / 1e6, summary.bytes,
    summary.errors.connect + summary.errors.read + summary.errors.write + summary.errors.status
      + summary.errors.timeout,
    latency:percentile(50) / 1000, latency:percentile(95) / 1000,
    latency:percentile(99) / 1000))
end
