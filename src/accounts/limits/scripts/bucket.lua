-- A bucket of tries that fills up again with time. KEYS: the bucket. ARGV: 1 its size; 2 milliseconds until one more try;
-- 3 tries to take, negative to give back. Returns the milliseconds until there may be a try; 0: it was counted.

local clock = redis.call('TIME')
local now = clock[1] * 1000 + clock[2] / 1000
local size, every, taken = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local left, at = size, now
local stored = redis.call('GET', KEYS[1])
if stored then
  left, at = struct.unpack('<dd', stored)
  -- A clock that is set back gives nothing and takes nothing.
  left = math.min(size, left + math.max(0, now - at) / every)
end
if left < taken then return { math.ceil((taken - left) * every) } end
redis.call('SET', KEYS[1], struct.pack('<dd', math.min(size, left - taken), now), 'PX', math.ceil(size * every))
return { 0 }
