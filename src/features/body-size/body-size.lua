-- Counts the bytes of bodies without a declared length and answers 413 when they cross the limit in
-- `txn.bodylimit`. Written as a filter, since rules see no more of a body than fits one buffer.

local Counter = { id = "ramjet body size", flags = filter.FLT_CFG_FL_HTX }
Counter.__index = Counter

function Counter:new()
  return setmetatable({}, Counter)
end

-- Called once the request's rules have run. Bodies without a limit pass without a look.
function Counter:http_headers(txn, message)
  if not message:is_resp() then
    local limit = tonumber(txn:get_var("txn.bodylimit") or "")
    if limit then
      self.left = limit
      filter.register_data_filter(self, message.channel)
    end
  end
  return filter.CONTINUE
end

function Counter:http_payload(txn, message)
  if not self.left or message:is_resp() then return end
  local size = message:input()
  -- The size takes in the end of the message and its trailers, the text does not, but is a copy: only looked at where it matters.
  if self.left < size then size = #(message:body() or "") end
  self.left = self.left - size
  if self.left >= 0 then return end
  -- Ends the transaction: the endpoint sees a body that breaks off, never a shorter one.
  txn:done(txn:reply({ status = 413, reason = "Content Too Large" }))
end

core.register_filter("ramjet-body-size", Counter, function(self) return self end)
