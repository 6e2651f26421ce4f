-- Two fetches that HAProxy's own converters can't express. Both run only on requests that need them:
-- a path with an escape, a double slash or a dot segment; a host with regex paths.
-- The normalised form must equal plan/routing.ts `encodePath`.

local function hex(byte)
  return string.format("%%%02X", byte)
end

-- Percent-decodes once. nil: not a valid escape, or a NUL.
local function decode(path)
  local bad = false
  local decoded = path:gsub("%%(..?)", function(digits)
    local byte = #digits == 2 and digits:match("^%x%x$") and tonumber(digits, 16)
    if not byte or byte == 0 then
      bad = true
      return ""
    end
    return string.char(byte)
  end)
  if bad or decoded:find("%%$") and path:find("%%$") then return nil end
  return decoded
end

-- Merges slashes and resolves dot segments. nil: climbs above the root.
local function resolve(path)
  local segments, depth = {}, 0
  for segment in path:gmatch("[^/]+") do
    if segment == ".." then
      if depth == 0 then return nil end
      segments[depth] = nil
      depth = depth - 1
    elseif segment ~= "." then
      depth = depth + 1
      segments[depth] = segment
    end
  end
  local result = "/" .. table.concat(segments, "/")
  local directory = path:find("/$") or path:find("/%.%.?$")
  if directory and depth > 0 then result = result .. "/" end
  return result
end

-- The path as routes are looked up; empty where nginx would answer 400.
core.register_fetches("ramjet_path", function(txn)
  local path = txn.f:path()
  if not path or path:sub(1, 1) ~= "/" then return path or "" end
  local decoded = decode(path)
  local resolved = decoded and resolve(decoded)
  if not resolved then return "" end
  return (resolved:gsub("[^\x21\x22\x24\x26-\x7e]", function(char) return hex(char:byte()) end))
end)

local function unescape(text)
  return (text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

-- Bounds the time of a pattern that backtracks without end; a match that takes longer counts as none.
local LIMIT = "(*LIMIT_MATCH=200000)"

local lists, known = {}, 0

-- `length|i|pattern|value;…` to compiled regexes; kept by text, so a new list is a new entry.
local function compile(text)
  local list = {}
  for item in text:gmatch("[^;]+") do
    local length, flags, pattern, value = item:match("^(%d+)|(i?)|([^|]*)|(.*)$")
    if length then
      local ok, regex = Regex.new(LIMIT .. "^(?:" .. unescape(pattern) .. ")", flags ~= "i")
      if ok then list[#list + 1] = { length = tonumber(length), regex = regex, value = unescape(value) } end
    end
  end
  return list
end

local function listOf(text)
  local list = lists[text]
  if list then return list end
  if known > 2000 then lists, known = {}, 0 end
  list = compile(text)
  lists[text], known = list, known + 1
  return list
end

-- The value of the first regex path of the host that is longer than the plain path found, else what was found.
core.register_fetches("ramjet_regex", function(txn)
  local text = txn:get_var("txn.rx")
  local row = 0
  while text:sub(-1) == "+" do
    row = row + 1
    text = text:sub(1, -2) .. (txn:get_var("txn.rx" .. row) or "")
  end
  local found = txn:get_var("txn.r") or ""
  local plain = tonumber(found:match("|(%d+)$") or "0")
  local path
  for _, entry in ipairs(listOf(text)) do
    if entry.length <= plain then break end
    -- As in nginx the pattern sees the path decoded.
    path = path or unescape(txn:get_var("txn.p") or "")
    if entry.regex:exec(path) then return entry.value end
  end
  return found
end)
