-- Gives one admission back. KEYS: the ring, the day. ARGV: 1 its time, as a ring holds it; 2 its day; 3 capacity of a ring, at most.

local most = tonumber(ARGV[3])
local ring = read_ring(KEYS[1], most)
local times = times_of(ring)
local given = tonumber(ARGV[1])
for index = #times, 1, -1 do
  if times[index] == given then
    table.remove(times, index)
    write_ring(ring, times, most)
    break
  end
end
local stored = redis.call('GET', KEYS[2])
if stored then
  local day, used, birth = struct.unpack('<I4I4I4', stored)
  -- The day may have turned since: yesterday's request is not taken from today.
  if day == tonumber(ARGV[2]) and used > 0 then
    redis.call('SET', KEYS[2], struct.pack('<I4I4I4', day, used - 1, birth), 'KEEPTTL')
  end
end
return 1
