-- Minute and day of one subscription, decided together and counted, or refused and not counted.
--
-- asked: ring and day (keys), per_minute and per_day (limits), is_counted (false: only look), and what is told of what Redis may lack:
--   known_day (days since 1970), known_used of it, times of admissions as a ring holds them, is_fresh: it may stand where Redis has nothing
-- most: capacity of a ring, at most; shift_ms: milliseconds between the limits' clock and real time
--
-- Returns nine numbers, eight bytes each: 1 admitted, 0 refused, 2 the day is unknown; used of the day; used of the minute; microseconds until the oldest entry
-- of the minute leaves; until the minute has room; until the day has room; now; the day; a number that changes if the data was lost.

local DAY_MS = 86400000
-- A day further ahead than this was a mistake of the clock.
local AHEAD_MS = 3600000
local DAY_TTL_SECONDS = 172800
local REPLY = '<ddddddddd'

local function unite(ring, packed, most)
  local known, times = {}, times_of(ring)
  for _, time in ipairs(times) do known[time] = true end
  local before = #times
  for position = 1, #packed, 4 do
    local time = struct.unpack('<I4', packed, position)
    local age = (ring.now - time) % MODULUS
    if age >= MODULUS / 2 then age = age - MODULUS end
    if not known[time] and age < MINUTE and age >= -MAX_WAIT_FOR_CLOCK then
      known[time] = true
      times[#times + 1] = time
    end
  end
  if #times == before then return end
  local now = ring.now
  table.sort(times, function(left, right) return (now - left + MINUTE) % MODULUS > (now - right + MINUTE) % MODULUS end)
  while #times > most do table.remove(times, 1) end
  write_ring(ring, times, most)
  local newest = age_of(ring, 0)
  if newest < 0 then ring.now = ring.now - newest end
  ring.count = count_young(ring)
end

local function decide(asked, most, shift_ms)
  local ring = read_ring(asked.ring, most)
  if asked.times then unite(ring, asked.times, most) end

  local now_ms = clock_us / 1000 + shift_ms
  local today = math.floor(now_ms / DAY_MS)
  local stored = redis.call('GET', asked.day)
  local day, used, birth
  if stored then
    day, used, birth = struct.unpack('<I4I4I4', stored)
    if day > today and day * DAY_MS > now_ms + AHEAD_MS then stored = false end
  end
  local is_changed = false
  if not stored then
    if not asked.is_fresh then return struct.pack(REPLY, 2, 0, ring.count, 0, 0, 0, ring.now, today, 0) end
    day, used, birth, is_changed = today, 0, clock_us % MODULUS, true
  elseif day < today then
    day, used = today, 0
  end
  if asked.known_day == day and asked.known_used > used then
    used, is_changed = asked.known_used, true
  end

  local minute_wait = wait_for(ring, asked.per_minute)
  local frees_at = ring.now + (ring.count > 0 and MINUTE - age_of(ring, ring.count - 1) or 0)
  local day_wait = used < asked.per_day and 0 or math.ceil(((day + 1) * DAY_MS - now_ms) * 1000)
  local status = 0
  if minute_wait == 0 and day_wait == 0 then
    status = 1
    if asked.is_counted then
      local is_first = ring.count == 0
      local at = add_now(ring, most)
      if is_first then frees_at = at + MINUTE end
      used, is_changed = used + 1, true
    end
  end
  if is_changed then
    redis.call('SET', asked.day, struct.pack('<I4I4I4', day, used, birth), 'EX', DAY_TTL_SECONDS)
  end
  return struct.pack(REPLY, status, used, ring.count, frees_at - ring.now, minute_wait, day_wait, ring.now, day, birth)
end
