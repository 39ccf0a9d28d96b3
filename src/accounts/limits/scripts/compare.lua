-- Tells Redis what a process knows of one subscription, and asks what Redis has. KEYS: the ring, the day. ARGV:
--   1 capacity of a ring, at most   2 milliseconds between the limits' clock and real time
--   3 limit of a minute             4 limit of a day
--   5 1: count the request, 0: only look
--   6 a day (days since 1970) and 7 what is known of it
--   8 times of admissions that may be missing here, as a ring holds them
--   9 1: what is known of the day may stand where Redis has nothing
-- Returns nine numbers, see decision.lua.

return decide({
  ring = KEYS[1],
  day = KEYS[2],
  per_minute = tonumber(ARGV[3]),
  per_day = tonumber(ARGV[4]),
  is_counted = ARGV[5] == '1',
  known_day = tonumber(ARGV[6]),
  known_used = tonumber(ARGV[7]),
  times = #ARGV[8] > 0 and ARGV[8],
  is_fresh = ARGV[9] == '1',
}, tonumber(ARGV[1]), tonumber(ARGV[2]))
