-- Rewrites that HAProxy's converters can't express: groups of a regular expression, and paths with escapes,
-- which are taken apart decoded and put together encoded, as nginx does it.
-- Fields of a row as in haproxy.ts: kind|before|skip|trim|after|to|pattern|flags|prefix|prefix_to

local LIMIT = "(*LIMIT_MATCH=200000)"

local function unescape(text)
  return (text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

-- Everything but what may stand in a URL's path as it is.
local function escape(text)
  return (text:gsub("[^A-Za-z0-9_.~/:%[%]@!$&'()*+,;=-]", function(char) return string.format("%%%02X", char:byte()) end))
end

local function split(text)
  local fields = {}
  for value in (text .. "|"):gmatch("([^|]*)|") do fields[#fields + 1] = unescape(value) end
  return {
    kind = fields[1], before = fields[2], skip = tonumber(fields[3]), trim = fields[4] == "1", after = fields[5],
    to = fields[6], pattern = fields[7], flags = fields[8], prefix_to = fields[10],
  }
end

-- By the text of the row: a new row is a new entry.
local rows, known = {}, 0

local function rowOf(text)
  local row = rows[text]
  if row then return row end
  if known > 5000 then rows, known = {}, 0 end
  row = split(text)
  if row.pattern ~= "" then
    local ok, regex = Regex.new(LIMIT .. row.pattern, row.flags ~= "i")
    if ok then row.regex = regex end
  end
  rows[text], known = row, known + 1
  return row
end

-- `$1` to `$9` of the match, encoded; without a match nil. HAProxy would take a nil for the number 0. A template without a pattern has no groups.
local function fill(template, row, path)
  local groups = {}
  if row.pattern ~= "" then
    if not row.regex then return nil end
    local matched, captures = row.regex:match(path)
    if not matched then return nil end
    groups = captures
  end
  return (template:gsub("%$([0-9])", function(digit)
    -- The first entry is the whole match.
    return escape(groups[tonumber(digit) + 1] or "")
  end))
end

core.register_fetches("ramjet_rewrite", function(txn)
  local row = rowOf(txn:get_var("txn.rewrite") or "")
  local path = unescape(txn:get_var("txn.p") or "")
  if row.kind == "part" then
    local rest = path:sub(row.skip + 1)
    if row.trim then rest = rest:gsub("^/", "") end
    return row.before .. escape(rest) .. row.after
  end
  local made = fill(row.to, row, path)
  if made and row.kind == "template" and made:sub(1, 1) ~= "/" then made = "/" .. made end
  return made or ""
end)

core.register_fetches("ramjet_forwarded_prefix", function(txn)
  local row = rowOf(txn:get_var("txn.rewrite") or "")
  return fill(row.prefix_to, row, unescape(txn:get_var("txn.p") or "")) or ""
end)
