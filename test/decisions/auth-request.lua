-- HAProxy asks a server with mod_auth_request (AuthRequestFields haproxy) whether a request is admitted:
--   lua-load auth-request.lua                                       in the section global
--   http-request lua.auth-request http://127.0.0.1:8080/decide      in a frontend or backend
--   http-request deny deny_status 403 unless { var(txn.auth_status) -m int 200 }
-- The variables txn.auth_status, txn.auth_location and txn.auth_user have the answer. Whatever fails is a status other
-- than 200.
local HOP = { ["host"] = true, ["connection"] = true, ["content-length"] = true, ["transfer-encoding"] = true,
  ["expect"] = true, ["upgrade"] = true, ["te"] = true, ["trailer"] = true, ["keep-alive"] = true }

core.register_action("auth-request", { "http-req" }, function(txn, url)
  txn:set_var("txn.auth_status", 500)
  local headers = {}
  for name, values in pairs(txn.http:req_get_headers()) do
    if not HOP[name] and name:sub(1, 12) ~= "x-forwarded-" then
      headers[name] = {}
      for index = 0, #values do headers[name][#headers[name] + 1] = values[index] end
    end
  end
  headers["x-forwarded-method"] = { txn.f:method() }
  headers["x-forwarded-proto"] = { txn.f:ssl_fc() == 1 and "https" or "http" }
  headers["x-forwarded-host"] = { txn.f:req_hdr("host") or "" }
  -- The target as sent, without scheme and host.
  headers["x-forwarded-uri"] = { txn.f:pathq() }
  headers["x-forwarded-for"] = { txn.f:src() }
  local response = core.httpclient():get({ url = url, headers = headers, timeout = 10000 })
  if response == nil or response.status == nil then return end
  local location = response.headers and response.headers["location"]
  local user = response.headers and response.headers["remote-user"]
  if location then txn:set_var("txn.auth_location", location[0]) end
  if user then txn:set_var("txn.auth_user", user[0]) end
  txn:set_var("txn.auth_status", response.status)
end, 1)
