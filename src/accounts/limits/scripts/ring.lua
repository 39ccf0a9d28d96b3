-- A rolling minute as one string: the number of entries ever added, then a ring of their times.
--
--   | n | t | t | t | … |    four bytes each, little-endian
--
-- A time is in microseconds modulo 2^32 (71 minutes). That is unambiguous, because a ring expires 61 s after its newest entry, and one
-- with entries older than two minutes is written anew with the next.
-- Times only grow from entry to entry, so the entries of the last minute are found by halving.

local MINUTE = 60000000
local MODULUS = 4294967296
local TTL_MS = 61000
-- A clock that was set back by less is waited for; after a larger step the times move with it.
local MAX_WAIT_FOR_CLOCK = 1000000

local clock = redis.call('TIME')
local clock_us = clock[1] * 1000000 + clock[2]

local function entry_at(ring, place)
  return (struct.unpack('<I4', ring.text, 5 + 4 * place))
end

-- Place of an entry, counted from the newest (0).
local function place_of(ring, index)
  return (ring.n - 1 - index) % ring.capacity
end

-- Microseconds since an entry, negative for a time that is still to come.
local function age_of(ring, index)
  local age = (ring.now - entry_at(ring, place_of(ring, index))) % MODULUS
  if age >= MODULUS / 2 then return age - MODULUS end
  return age
end

-- How many entries are younger than a minute.
local function count_young(ring)
  local low, high = 0, math.min(ring.n, ring.capacity)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if age_of(ring, middle) < MINUTE then low = middle + 1 else high = middle end
  end
  return low
end

-- The young times, oldest first.
local function times_of(ring)
  local times = {}
  for index = ring.count - 1, 0, -1 do
    times[#times + 1] = entry_at(ring, place_of(ring, index))
  end
  return times
end

local function write_ring(ring, times, most)
  local capacity = 8
  while capacity < #times do capacity = capacity * 2 end
  if capacity > most then capacity = math.max(most, #times) end
  local packed = {}
  for index = 1, #times do packed[index] = struct.pack('<I4', times[index]) end
  ring.n, ring.count, ring.capacity = #times, #times, capacity
  ring.text = struct.pack('<I4', ring.n) .. table.concat(packed) .. string.rep('\0', 4 * (capacity - #times))
  redis.call('SET', ring.key, ring.text, 'PX', TTL_MS)
end

-- Reads the ring and moves its end to now. `now` is never before the newest entry.
local function read_ring(key, most)
  local text = redis.call('GET', key) or ''
  local ring = { key = key, text = text, n = 0, capacity = 0, count = 0, now = clock_us }
  if #text < 8 then return ring end
  ring.n = struct.unpack('<I4', text)
  ring.capacity = #text / 4 - 1
  local newest = ring.n > 0 and age_of(ring, 0) or 0
  if newest < -MAX_WAIT_FOR_CLOCK then
    -- All entries count as if they had been added before the step.
    ring.now = clock_us - newest
    ring.count = count_young(ring)
    local times = times_of(ring)
    for index = 1, #times do times[index] = (times[index] + newest) % MODULUS end
    ring.now = clock_us
    write_ring(ring, times, most)
  elseif newest < 0 then
    ring.now = clock_us - newest
  end
  ring.count = count_young(ring)
  return ring
end

-- Microseconds until one more entry keeps within the limit; 0: now.
local function wait_for(ring, limit)
  if ring.count < limit then return 0 end
  return MINUTE - age_of(ring, limit - 1)
end

-- Whether it holds an entry that would soon look like one of the last minute.
local function is_stale(ring)
  local stored = math.min(ring.n, ring.capacity)
  if stored == ring.count then return false end
  local age = age_of(ring, stored - 1)
  return age < 0 or age >= 2 * MINUTE
end

-- Adds an entry for now and returns its time, which no other entry of this ring has.
local function add_now(ring, most)
  if ring.count > 0 and age_of(ring, 0) == 0 then ring.now = ring.now + 1 end
  if ring.count == ring.capacity or is_stale(ring) then
    local times = times_of(ring)
    times[#times + 1] = ring.now % MODULUS
    write_ring(ring, times, most)
    return ring.now
  end
  local place = ring.n % ring.capacity
  ring.n = ring.n + 1
  redis.call('SETRANGE', ring.key, 0, struct.pack('<I4', ring.n))
  redis.call('SETRANGE', ring.key, 4 + 4 * place, struct.pack('<I4', ring.now % MODULUS))
  redis.call('PEXPIRE', ring.key, TTL_MS)
  ring.count = ring.count + 1
  return ring.now
end
