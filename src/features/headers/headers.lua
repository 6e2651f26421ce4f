-- Header names are data here: HAProxy's own rules take them from the configuration only (3.4 has actions
-- for names as data; 3.2 uses the first action below). And parts of Location and Set-Cookie are replaced.

local function unescape(text)
  return (text:gsub("%%(%x%x)", function(digits) return string.char(tonumber(digits, 16)) end))
end

-- Fields of a row, between bars.
local function fields(row)
  local list = {}
  for text in (row .. "|"):gmatch("([^|]*)|") do list[#list + 1] = text end
  return list
end

local function varint(data, at)
  local value = data:byte(at)
  at = at + 1
  if value < 240 then return value, at end
  local shift = 4
  while true do
    local byte = data:byte(at)
    at = at + 1
    value = value + (byte << shift)
    shift = shift + 7
    if byte < 128 then return value, at end
  end
end

-- The texts of a binary list up to the first empty name; `width` is 1 for names, 2 for names and values.
local function decode(txn, text, width)
  local list = {}
  if text == nil or text == "" then return list end
  local data, at = txn.c:ub64dec(text), 1
  while at <= #data do
    local item = {}
    for index = 1, width do
      local length
      length, at = varint(data, at)
      item[index] = data:sub(at, at + length - 1)
      at = at + length
    end
    if item[1] == "" then return list end
    list[#list + 1] = item
  end
  return list
end

-- Rows that were read before, by text; a changed row is another text. Started anew before it grows too large.
local known, count = {}, 0

local function operations(txn, row)
  local found = known[row]
  if found then return found end
  if count >= 5000 then known, count = {}, 0 end
  local part = fields(row)
  found = { remove = decode(txn, part[1], 1), set = decode(txn, part[2], 2), add = decode(txn, part[3], 2) }
  known[row], count = found, count + 1
  return found
end

core.register_action("ramjet_headers", { "http-req", "http-res", "http-after-res" }, function(txn, side, name)
  local row = txn:get_var("txn." .. name)
  if not row then return end
  local found, http = operations(txn, row), txn.http
  local remove, set, add = http.req_del_header, http.req_set_header, http.req_add_header
  if side == "response" then remove, set, add = http.res_del_header, http.res_set_header, http.res_add_header end
  for _, item in ipairs(found.remove) do remove(http, item[1]) end
  for _, item in ipairs(found.set) do set(http, item[1], item[2]) end
  for _, item in ipairs(found.add) do add(http, item[1], item[2]) end
end, 2)

-- A prefix replaced, or nil.
local function replace_prefix(text, from, to)
  if from ~= "" and text:sub(1, #from) == from then return to .. text:sub(#from + 1) end
end

-- `Refresh: 5; url=TARGET`
local function refresh(value, from, to)
  local head, target = value:match("^(%s*[%d.]+%s*[;,]%s*[uU][rR][lL]%s*=%s*)(.*)$")
  local changed = target and replace_prefix(target, from, to)
  return changed and head .. changed
end

local function undotted(name)
  return (name:lower():gsub("^%.", ""))
end

local function cookie(value, path_from, path_to, domain_from, domain_to)
  local changed = value:gsub("(;%s*)([Pp][Aa][Tt][Hh]%s*=%s*)([^;]*)", function(gap, head, path)
    return gap .. head .. (replace_prefix(path, path_from, path_to) or path)
  end)
  return (changed:gsub("(;%s*)([Dd][Oo][Mm][Aa][Ii][Nn]%s*=%s*)([^;]*)", function(gap, head, domain)
    local name = domain:match("^(.-)%s*$")
    if domain_from ~= "" and undotted(name) == undotted(domain_from) then return gap .. head .. domain_to end
    return gap .. head .. domain
  end))
end

-- Rewrites every value of a header that `change` gives another text for.
local function rewrite(http, headers, name, change)
  local values = headers[name]
  if not values then return end
  local result, changed = {}, false
  for index = 0, #values do
    local text = values[index]
    if text then
      local new = change(text)
      changed = changed or (new ~= nil and new ~= text)
      result[#result + 1] = new or text
    end
  end
  if not changed then return end
  http:res_del_header(name)
  for _, text in ipairs(result) do http:res_add_header(name, text) end
end

core.register_action("ramjet_rewrite", { "http-res" }, function(txn)
  local row = txn:get_var("txn.response_rewrite")
  if not row then return end
  local part = fields(row)
  for index = 1, 6 do part[index] = unescape(part[index] or "") end
  local http = txn.http
  local headers = http:res_get_headers()
  rewrite(http, headers, "location", function(text) return replace_prefix(text, part[1], part[2]) end)
  rewrite(http, headers, "refresh", function(text) return refresh(text, part[1], part[2]) end)
  rewrite(http, headers, "set-cookie", function(text) return cookie(text, part[3], part[4], part[5], part[6]) end)
end)
