-- Canary rules that plain comparison can't express: patterns, query parameters, joined conditions.
-- Asked only on routes that have such a rule, and then for all rules of the route, in their order.
-- The last field of the row `txn.canary` is `backend|condition&condition;…`, percent-encoded, a condition
-- `where!name!kind!text`, see haproxy-rows.ts.

local MAX_LISTS = 10000
local lists, count = {}, 0

local function unescape(text)
  return (text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

local function condition(text)
  local where, name, kind, value = text:match("^(%a)!([^!]*)!(%a)!(.*)$")
  local one = { where = where, name = unescape(name), kind = kind, value = unescape(value) }
  if kind == "p" then
    local ok, regex = Regex.new(one.value, true)
    -- What PCRE2 refuses never matches.
    one.regex = ok and regex or nil
  end
  if where == "c" then one.name = one.name:lower() end
  return one
end

local function compile(row)
  local rules = {}
  for item in unescape(row:match("[^|]*$")):gmatch("[^;]+") do
    local backend, rest = item:match("^([^|]*)|(.*)$")
    local rule = { backend = backend }
    for part in rest:gmatch("[^&]+") do rule[#rule + 1] = condition(part) end
    rules[#rules + 1] = rule
  end
  return rules
end

-- Compiled once for each row; the bound keeps years of edits from filling memory.
local function listOf(row)
  local known = lists[row]
  if known then return known end
  if count >= MAX_LISTS then lists, count = {}, 0 end
  local list = compile(row)
  lists[row], count = list, count + 1
  return list
end

-- Several headers of one name are one value, joined by a comma.
local function header(request, name)
  local found
  local from = 1
  while true do
    local _, finish = request.headers:find("\n" .. name .. ": ", from, true)
    if not finish then return found end
    local value = request.headers:match("^[^\r\n]*", finish + 1)
    found = found and (found .. ", " .. value) or value
    from = finish
  end
end

local function cookie(request, name)
  local text = request.cookies
  if text == nil then
    text = header(request, "cookie") or ""
    request.cookies = text
  end
  for crumb in text:gmatch("[^;]+") do
    local key, value = crumb:match("^[ \t]*(.-)[ \t]*=[ \t]*(.-)[ \t]*$")
    if key and key:lower() == name then return value end
  end
end

local function decode(text)
  return (text:gsub("%+", " "):gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

-- The first parameter of that name, decoded.
local function query(request, name)
  for pair in request.query:gmatch("[^&]+") do
    local key, value = pair:match("^([^=]*)=?(.*)$")
    if decode(key) == name then return decode(value) end
  end
end

local READ = { h = header, c = cookie, q = query }

-- true: holds. false: does not. nil: says "production".
local function holds(one, request)
  local value = READ[one.where](request, one.name)
  if value == nil then return false end
  if one.kind == "p" then return one.regex ~= nil and one.regex:exec(value) end
  if one.kind == "v" then return value == one.value end
  if value == "never" then return nil end
  return value == "always"
end

local function decide(rule, request)
  for _, one in ipairs(rule) do
    local outcome = holds(one, request)
    if outcome == nil then return "-" end
    if not outcome then return nil end
  end
  return rule.backend
end

core.register_fetches("ramjet_canary", function(txn)
  local request = { headers = "\n" .. (txn:get_var("txn.canary_hdrs") or ""), query = txn.f:query() or "" }
  for _, rule in ipairs(listOf(txn:get_var("txn.canary") or "")) do
    local decision = decide(rule, request)
    if decision then return decision end
  end
  return ""
end)
