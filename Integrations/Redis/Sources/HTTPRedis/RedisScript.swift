/// The scripts that run in the server, each in one step. The raw value is the source.
///
/// Times come from the server's clock, in microseconds since 2023, so that all processes agree.
/// Each script has the keys of one hash slot.
enum RedisScript: String, Sendable, CaseIterable {
    static var all: [Self] { allCases }

    /// Takes units of a token bucket, as `RateMeter` does.
    ///
    /// Key: the time at which the bucket is full. Arguments: microseconds for each unit, burst,
    /// fewest and most units, longest wait in microseconds. Returns the units, 0 for a refusal, and
    /// the wait.
    case takeTokens = """
        local t = redis.call('TIME')
        local now = (t[1] - 1700000000) * 1000000 + t[2]
        local each, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
        local least, most, patience = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
        local full = math.max(tonumber(redis.call('GET', KEYS[1]) or now), now)
        local available = burst - (full - now) / each
        local units, wait = 0, 0
        if available + 1e-6 >= least then
            units = math.min(most, math.floor(available + 1e-6))
        else
            wait = math.ceil((math.min(least, burst) - available) * each)
            if wait > patience then return {0, wait} end
            units = least
        end
        full = full + units * each
        local life = math.ceil((full - now) / 1000) + 1000
        redis.call('SET', KEYS[1], string.format('%.3f', full), 'PX', life)
        return {units, wait}
        """

    /// Gives back units of a token bucket. Arguments: microseconds for each unit, units.
    case refundTokens = """
        local full = redis.call('GET', KEYS[1])
        if full then
            full = string.format('%.3f', full - ARGV[1] * ARGV[2])
            redis.call('SET', KEYS[1], full, 'KEEPTTL')
        end
        return 0
        """

    /// Takes units of a sliding window, as `RateMeter` does.
    ///
    /// Key: a hash of the units of each slot. Arguments: microseconds of the period, limit, fewest
    /// and most units, longest wait in microseconds. Returns as `takeTokens`.
    case takeWindow = """
        local t = redis.call('TIME')
        local now = (t[1] - 1700000000) * 1000000 + t[2]
        local width, limit = ARGV[1] / 64, tonumber(ARGV[2])
        local least, most, patience = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
        local current = math.floor(now / width)
        local all, counts, numbers = redis.call('HGETALL', KEYS[1]), {}, {}
        local place = current
        for i = 1, #all, 2 do
            local number = tonumber(all[i])
            if number < current - 64 then
                redis.call('HDEL', KEYS[1], all[i])
            else
                counts[number] = tonumber(all[i + 1])
                numbers[#numbers + 1] = number
                place = math.max(place, number)
            end
        end
        table.sort(numbers)
        local function used()
            local sum, oldest = 0, nil
            for _, number in ipairs(numbers) do
                if number >= place - 64 then
                    oldest = oldest or number
                    sum = sum + counts[number]
                end
            end
            return sum, oldest
        end
        local added, first, rest = {}, nil, least
        while rest > 0 do
            local portion = math.min(rest, limit)
            local sum, oldest = used()
            if sum + portion > limit then
                place = oldest + 65
            else
                if not first then
                    first = place
                    if place == current and rest <= limit then
                        rest = math.min(most, limit - sum)
                        portion, least = rest, rest
                    elseif place * width - now > patience then
                        return {0, math.ceil(place * width - now)}
                    end
                end
                added[#added + 1] = {place, portion}
                if not counts[place] then
                    counts[place] = 0
                    numbers[#numbers + 1] = place
                end
                counts[place] = counts[place] + portion
                rest = rest - portion
            end
        end
        for _, slot in ipairs(added) do
            redis.call('HINCRBY', KEYS[1], string.format('%.0f', slot[1]), slot[2])
        end
        local life = math.ceil(((place + 66) * width - now) / 1000) + 1000
        redis.call('PEXPIRE', KEYS[1], life)
        return {least, math.max(0, math.ceil(first * width - now))}
        """

    /// Gives back units of a sliding window, those of the newest slots first. Argument: units.
    case refundWindow = """
        local all, numbers, rest = redis.call('HGETALL', KEYS[1]), {}, tonumber(ARGV[1])
        local counts = {}
        for i = 1, #all, 2 do
            numbers[#numbers + 1] = tonumber(all[i])
            counts[tonumber(all[i])] = {all[i], tonumber(all[i + 1])}
        end
        table.sort(numbers, function(a, b) return a > b end)
        for _, number in ipairs(numbers) do
            if rest <= 0 then break end
            local part = math.min(rest, counts[number][2])
            rest = rest - part
            if part == counts[number][2] then
                redis.call('HDEL', KEYS[1], counts[number][1])
            else
                redis.call('HINCRBY', KEYS[1], counts[number][1], -part)
            end
        end
        return 0
        """

    /// Begins or extends a pause, and tells all subscribers. Key: the pauses by their ends.
    /// Arguments: the paused key, milliseconds, channel. Returns 1 if the pause is new.
    case pause = """
        local t = redis.call('TIME')
        local now = (t[1] - 1700000000) * 1000 + math.floor(t[2] / 1000)
        local finish = now + ARGV[2]
        local old = redis.call('ZSCORE', KEYS[1], ARGV[1])
        if old and tonumber(old) >= finish then return 0 end
        redis.call('ZADD', KEYS[1], finish, ARGV[1])
        redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
        local last = redis.call('ZRANGE', KEYS[1], -1, -1, 'WITHSCORES')
        redis.call('PEXPIRE', KEYS[1], math.ceil(last[2] - now) + 1000)
        redis.call('PUBLISH', ARGV[3], string.format('%d ', ARGV[2]) .. ARGV[1])
        return 1
        """

    /// Returns the pauses under way: each key and its milliseconds that are left.
    case pauses = """
        local t = redis.call('TIME')
        local now = (t[1] - 1700000000) * 1000 + math.floor(t[2] / 1000)
        local all = redis.call('ZRANGEBYSCORE', KEYS[1], now + 1, '+inf', 'WITHSCORES')
        for i = 2, #all, 2 do all[i] = string.format('%d', all[i] - now) end
        return all
        """

    /// Stores a credential if the lease is held, and ends the lease. Keys: value, lease. Arguments:
    /// lease, value, milliseconds. Returns 1 if it was stored.
    case storeCredential = """
        if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
        redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
        redis.call('DEL', KEYS[2])
        return 1
        """

    /// Ends a lease. Key: lease. Argument: lease.
    case releaseLease = """
        if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
        return 0
        """

    /// Stores a response in place of the one of the same variant. Keys: index, body. Arguments: id,
    /// variant, metadata, body, milliseconds, prefix of the keys of bodies, most variants.
    case storeResponse = """
        local all, count = redis.call('HGETALL', KEYS[1]), 0
        for i = 1, #all, 2 do
            local variant = string.match(all[i + 1], '^[^\\n]*')
            if all[i] == ARGV[1] or variant == ARGV[2] or count + 1 >= tonumber(ARGV[7]) then
                redis.call('HDEL', KEYS[1], all[i])
                redis.call('DEL', ARGV[6] .. all[i])
            else
                count = count + 1
            end
        end
        redis.call('SET', KEYS[2], ARGV[4], 'PX', ARGV[5])
        redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '\\n' .. ARGV[3])
        redis.call('PEXPIRE', KEYS[1], ARGV[5])
        return 1
        """

    /// Replaces the metadata of a response that is stored. Key: index. Arguments: id, variant,
    /// metadata, milliseconds, key of the body.
    case updateResponse = """
        if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
        redis.call('HSET', KEYS[1], ARGV[1], ARGV[2] .. '\\n' .. ARGV[3])
        redis.call('PEXPIRE', KEYS[1], ARGV[4])
        redis.call('PEXPIRE', ARGV[5], ARGV[4])
        return 1
        """

    /// Removes the responses of a key, or the one with an id. Key: index. Arguments: prefix of the
    /// keys of bodies, id or nothing.
    case removeResponses = """
        for _, id in ipairs(redis.call('HKEYS', KEYS[1])) do
            if ARGV[2] == '' or ARGV[2] == id then
                redis.call('HDEL', KEYS[1], id)
                redis.call('DEL', ARGV[1] .. id)
            end
        end
        return 0
        """
}
