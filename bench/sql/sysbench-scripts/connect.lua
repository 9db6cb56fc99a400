-- Connects, logs in and quits: nothing is asked.
function thread_init()
  drv = sysbench.sql.driver()
end

function event()
  local con = drv:connect()
  con:disconnect()
end
