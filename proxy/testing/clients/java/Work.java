import java.io.File;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.Date;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Does the clients' common work with one of three JDBC drivers; see ../steps.ts for what each step is. */
public class Work {
  private static final String TEXT = "h\u00e9llo \u6f22\u5b57 \ud83c\udf89 'quoted' \\";
  private static final byte[] BYTES = {0, 1, (byte) 255, 39, 92, 10, 26};
  private static final BigDecimal DECIMAL = new BigDecimal("-1234567890.12345");
  private static final Date DAY = Date.valueOf("2026-02-28");
  private static final Timestamp MOMENT = Timestamp.valueOf("2026-02-28 23:59:58.123456");
  private static final String TABLE = System.getenv("ODP_TABLE");
  private static String scheme;

  private interface Task {
    void run() throws Exception;
  }

  public static void main(String[] arguments) throws Exception {
    scheme = arguments[0];
    Class.forName(switch (scheme) {
      case "mysql" -> "com.mysql.cj.jdbc.Driver";
      case "mariadb" -> "org.mariadb.jdbc.Driver";
      default -> "com.oceanbase.jdbc.Driver";
    });
    Connection connection = connect("");
    System.out.println("version " + version(connection.getMetaData()));
    step("connect", () -> {
      same(single(connection, "SELECT 5"), "5");
      same(connection.isValid(5), true);
    });
    step("charset", () -> {
      try (PreparedStatement statement = connection.prepareStatement("SELECT ?, CHAR_LENGTH(?)")) {
        statement.setString(1, TEXT);
        statement.setString(2, TEXT);
        ResultSet rows = statement.executeQuery();
        rows.next();
        same(rows.getString(1), TEXT);
        same(rows.getInt(2), TEXT.codePointCount(0, TEXT.length()));
      }
    });
    step("text", () -> {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE " + TABLE + " (id BIGINT PRIMARY KEY, d DECIMAL(15,5), f DOUBLE, dt DATE,"
            + " ts DATETIME(6), b VARBINARY(1000), s VARCHAR(200), n INT)");
      }
      writeAndRead(connection, 1);
    });
    step("prepared", () -> {
      try (Connection other = connect("useServerPrepStmts=true")) {
        writeAndRead(other, 2);
      }
    });
    step("batch", () -> {
      try (Connection other = connect("rewriteBatchedStatements=true");
          PreparedStatement statement = other.prepareStatement("INSERT INTO " + TABLE + " (id, s) VALUES (?, ?)")) {
        for (int id = 100; id < 200; id++) {
          statement.setInt(1, id);
          statement.setString(2, "batch " + id);
          statement.addBatch();
        }
        same(statement.executeBatch().length, 100);
        same(single(other, "SELECT COUNT(*) FROM " + TABLE + " WHERE s LIKE 'batch %'"), "100");
      }
    });
    step("transaction", () -> {
      connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
      connection.setAutoCommit(false);
      String read = "SELECT n FROM " + TABLE + " WHERE id = 1";
      update(connection, "UPDATE " + TABLE + " SET n = 1 WHERE id = 1");
      connection.rollback();
      same(single(connection, read), null);
      update(connection, "UPDATE " + TABLE + " SET n = 2 WHERE id = 1");
      connection.commit();
      same(single(connection, read), "2");
      connection.commit();
      connection.setAutoCommit(true);
    });
    step("multi", () -> {
      try (Connection other = connect("allowMultiQueries=true"); Statement statement = other.createStatement()) {
        List<String> results = new ArrayList<>();
        boolean more = statement.execute("SELECT 1; SELECT 2");
        while (more) {
          ResultSet rows = statement.getResultSet();
          while (rows.next()) results.add(rows.getString(1));
          more = statement.getMoreResults();
        }
        same(results, List.of("1", "2"));
      }
    });
    step("error", () -> {
      try {
        single(connection, "SELECT * FROM no_such_table");
        throw new AssertionError("no error");
      } catch (SQLException error) {
        same(error.getErrorCode(), 1146);
        same(error.getSQLState(), "42S02");
      }
      same(single(connection, "SELECT 6"), "6");
    });
    step("big", () -> {
      String big = "x".repeat(5_000_000);
      try (PreparedStatement statement = connection.prepareStatement("SELECT ?")) {
        statement.setString(1, big);
        ResultSet rows = statement.executeQuery();
        rows.next();
        same(rows.getString(1).equals(big), true);
      }
    });
    step("load", () -> {
      String allow = scheme.equals("mariadb") ? "allowLocalInfile=true" : "allowLoadLocalInfile=true";
      try (Connection other = connect(allow)) {
        String file = System.getenv("ODP_FILE");
        same(update(other, "LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE " + TABLE + " FIELDS TERMINATED BY ',' (id, s)"), 1000);
      }
    });
    step("metadata", () -> {
      DatabaseMetaData metadata = connection.getMetaData();
      String database = System.getenv("ODP_DATABASE");
      same(connection.getCatalog(), database);
      List<String> columns = new ArrayList<>();
      try (ResultSet rows = metadata.getColumns(database, null, TABLE, "%")) {
        while (rows.next()) columns.add(rows.getString("COLUMN_NAME") + " " + rows.getInt("DATA_TYPE"));
      }
      same(columns.get(0), "id " + Types.BIGINT);
      same(columns.get(1), "d " + Types.DECIMAL);
      same(columns.size(), 8);
      try (ResultSet rows = metadata.getTables(database, null, TABLE, new String[] {"TABLE"})) {
        same(rows.next(), true);
      }
      try (ResultSet rows = metadata.getPrimaryKeys(database, null, TABLE)) {
        same(rows.next(), true);
        same(rows.getString("COLUMN_NAME"), "id");
      }
    });
    connection.close();
  }

  private static void step(String name, Task task) {
    try {
      task.run();
      System.out.println("ok " + name);
    } catch (Throwable error) {
      System.out.println("FAIL " + name + ": " + error.toString().replace('\n', ' '));
    }
  }

  private static Connection connect(String options) throws SQLException {
    String ca = System.getenv("ODP_CA");
    // This one demands a certificate it can check unless it is told otherwise.
    String leftToItself = !scheme.equals("mariadb") ? "" : System.getenv("ODP_TLS").equals("off") ? "&sslMode=disable" : "&sslMode=trust";
    String tls = ca.isEmpty() ? leftToItself : switch (scheme) {
      case "mysql" -> "&sslMode=VERIFY_CA&trustCertificateKeyStoreType=PKCS12&trustCertificateKeyStorePassword=changeit"
          + "&trustCertificateKeyStoreUrl=" + new File(System.getenv("ODP_TRUST_STORE")).toURI();
      case "mariadb" -> "&sslMode=verify-ca&serverSslCert=" + ca;
      default -> "&useSSL=true&serverSslCert=" + ca;
    };
    return DriverManager.getConnection("jdbc:" + scheme + "://" + System.getenv("ODP_HOST") + ":" + System.getenv("ODP_PORT")
        + "/" + System.getenv("ODP_DATABASE") + "?" + options + tls, System.getenv("ODP_USER"), System.getenv("ODP_PASSWORD"));
  }

  private static String version(DatabaseMetaData metadata) throws SQLException {
    java.util.regex.Matcher number = java.util.regex.Pattern.compile("\\d+(\\.\\d+)+").matcher(metadata.getDriverVersion());
    return number.find() ? number.group() : metadata.getDriverVersion();
  }

  private static void writeAndRead(Connection connection, int id) throws SQLException {
    String insert = "INSERT INTO " + TABLE + " (id, d, f, dt, ts, b, s, n) VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(insert)) {
      statement.setLong(1, id);
      statement.setBigDecimal(2, DECIMAL);
      statement.setDouble(3, 1.5);
      statement.setDate(4, DAY);
      statement.setTimestamp(5, MOMENT);
      statement.setBytes(6, BYTES);
      statement.setString(7, TEXT);
      statement.setNull(8, Types.INTEGER);
      same(statement.executeUpdate(), 1);
    }
    try (PreparedStatement statement = connection.prepareStatement("SELECT d, f, dt, ts, b, s, n FROM " + TABLE + " WHERE id = ?")) {
      for (int round = 0; round < 3; round++) {
        statement.setLong(1, id);
        ResultSet rows = statement.executeQuery();
        same(rows.next(), true);
        same(rows.getBigDecimal(1), DECIMAL);
        same(rows.getDouble(2), 1.5);
        same(rows.getDate(3), DAY);
        same(rows.getTimestamp(4), MOMENT);
        same(Arrays.toString(rows.getBytes(5)), Arrays.toString(BYTES));
        same(rows.getString(6), TEXT);
        same(rows.getObject(7), null);
      }
    }
  }

  private static String single(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
      return rows.next() ? rows.getString(1) : "no row";
    }
  }

  private static int update(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      return statement.executeUpdate(sql);
    }
  }

  private static void same(Object got, Object wanted) {
    if (got == null ? wanted != null : !got.equals(wanted)) {
      throw new AssertionError(got + " in place of " + wanted);
    }
  }
}
