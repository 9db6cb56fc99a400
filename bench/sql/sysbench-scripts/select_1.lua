-- The shortest statement there is: what a proxy adds to it is all overhead.
function thread_init()
  con = sysbench.sql.driver():connect()
end

function event()
  con:query("SELECT 1")
end

function thread_done()
  con:disconnect()
end
