-- Whether Redis takes writes, and its time in microseconds. KEYS: a name that nothing else uses.

local clock = redis.call('TIME')
redis.call('SET', KEYS[1], '1', 'PX', 1000)
return { clock[1] * 1000000 + clock[2] }
