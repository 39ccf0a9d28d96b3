-- Counts one thing in several rolling minutes, or in none if one of them is full. KEYS: the rings. ARGV: the limit of each.
-- Returns the microseconds until all have room; 0: it was counted.

local rings, wait = {}, 0
for index, key in ipairs(KEYS) do
  local limit = tonumber(ARGV[index])
  rings[index] = read_ring(key, limit)
  wait = math.max(wait, wait_for(rings[index], limit))
end
if wait == 0 then
  for index, ring in ipairs(rings) do add_now(ring, tonumber(ARGV[index])) end
end
return { wait }
