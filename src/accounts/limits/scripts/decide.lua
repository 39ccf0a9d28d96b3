-- Decides requests of one or several subscriptions, one after another. KEYS: of each request the ring and the day. ARGV:
--   1 capacity of a ring, at most   2 milliseconds between the limits' clock and real time
--   then of each request its limit of a minute and of a day
-- Returns the numbers of all, see decision.lua.

local most, shift_ms = tonumber(ARGV[1]), tonumber(ARGV[2])
local replies = {}
for at = 1, #KEYS, 2 do
  local asked = { ring = KEYS[at], day = KEYS[at + 1], is_counted = true }
  asked.per_minute, asked.per_day = tonumber(ARGV[at + 2]), tonumber(ARGV[at + 3])
  replies[#replies + 1] = decide(asked, most, shift_ms)
end
return table.concat(replies)
