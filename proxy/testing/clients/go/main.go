// Does the clients' common work with go-sql-driver/mysql; see ../steps.ts for what each step is.
package main

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
)

const text = "héllo 漢字 🎉 'quoted' \\"

var (
	table   = os.Getenv("ODP_TABLE")
	raw     = []byte{0, 1, 255, 39, 92, 10, 26}
	moment  = time.Date(2026, 2, 28, 23, 59, 58, 123456000, time.UTC)
	day     = time.Date(2026, 2, 28, 0, 0, 0, 0, time.UTC)
	decimal = "-1234567890.12345"
)

func main() {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, dependency := range info.Deps {
			if dependency.Path == "github.com/go-sql-driver/mysql" {
				fmt.Println("version", strings.TrimPrefix(dependency.Version, "v"))
			}
		}
	}
	db := open(func(*mysql.Config) {})
	defer db.Close()
	db.SetMaxOpenConns(1)

	step("connect", func() error {
		var five int
		if err := db.QueryRow("SELECT 5").Scan(&five); err != nil || five != 5 {
			return fmt.Errorf("%d, %v", five, err)
		}
		return db.Ping()
	})
	step("charset", func() error {
		var got string
		var length int
		err := db.QueryRow("SELECT ?, CHAR_LENGTH(?)", text, text).Scan(&got, &length)
		if err != nil || got != text || length != len([]rune(text)) {
			return fmt.Errorf("%q %d, %v", got, length, err)
		}
		return nil
	})
	step("text", func() error {
		_, err := db.Exec("CREATE TABLE " + table + " (id BIGINT PRIMARY KEY, d DECIMAL(15,5), f DOUBLE, dt DATE," +
			" ts DATETIME(6), b VARBINARY(1000), s VARCHAR(200), n INT)")
		if err != nil {
			return err
		}
		interpolating := open(func(config *mysql.Config) { config.InterpolateParams = true })
		defer interpolating.Close()
		return writeAndRead(interpolating, 1)
	})
	step("prepared", func() error { return writeAndRead(db, 2) })
	step("transaction", func() error {
		for _, end := range []struct {
			commit bool
			want   any
		}{{false, nil}, {true, int64(2)}} {
			tx, err := db.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelReadCommitted})
			if err != nil {
				return err
			}
			defer tx.Rollback()
			if _, err := tx.Exec("UPDATE "+table+" SET n = ? WHERE id = 1", 2); err != nil {
				return err
			}
			if end.commit {
				err = tx.Commit()
			} else {
				err = tx.Rollback()
			}
			if err != nil {
				return err
			}
			var got any
			if err := db.QueryRow("SELECT n FROM "+table+" WHERE id = ?", 1).Scan(&got); err != nil || got != end.want {
				return fmt.Errorf("%v in place of %v, %v", got, end.want, err)
			}
		}
		return nil
	})
	step("multi", func() error {
		several := open(func(config *mysql.Config) { config.MultiStatements = true })
		defer several.Close()
		rows, err := several.Query("SELECT 1; SELECT 2, 3")
		if err != nil {
			return err
		}
		defer rows.Close()
		var one, two, three int
		if !rows.Next() || rows.Scan(&one) != nil || !rows.NextResultSet() || !rows.Next() || rows.Scan(&two, &three) != nil {
			return fmt.Errorf("results are missing: %v", rows.Err())
		}
		if one != 1 || two != 2 || three != 3 {
			return fmt.Errorf("%d %d %d", one, two, three)
		}
		return rows.Err()
	})
	step("error", func() error {
		_, err := db.Query("SELECT * FROM no_such_table")
		var problem *mysql.MySQLError
		if !errors.As(err, &problem) || problem.Number != 1146 {
			return fmt.Errorf("%v", err)
		}
		return db.Ping()
	})
	step("big", func() error {
		want := strings.Repeat("x", 5_000_000)
		var got string
		if err := db.QueryRow("SELECT ?", want).Scan(&got); err != nil || got != want {
			return fmt.Errorf("%d bytes, %v", len(got), err)
		}
		return nil
	})
	step("load", func() error {
		file := os.Getenv("ODP_FILE")
		mysql.RegisterLocalFile(file)
		result, err := db.Exec("LOAD DATA LOCAL INFILE '" + file + "' INTO TABLE " + table + " FIELDS TERMINATED BY ',' (id, s)")
		if err != nil {
			return err
		}
		if count, _ := result.RowsAffected(); count != 1000 {
			return fmt.Errorf("%d rows", count)
		}
		return nil
	})
	step("pool", func() error {
		db.SetMaxOpenConns(8)
		results := make(chan error)
		for worker := 0; worker < 8; worker++ {
			go func() {
				for round := 0; round < 20; round++ {
					var n sql.NullInt64
					if err := db.QueryRow("SELECT n FROM "+table+" WHERE id = ?", 1).Scan(&n); err != nil {
						results <- err
						return
					}
				}
				results <- nil
			}()
		}
		for worker := 0; worker < 8; worker++ {
			if err := <-results; err != nil {
				return err
			}
		}
		return nil
	})
}

func step(name string, work func() error) {
	if err := work(); err != nil {
		fmt.Printf("FAIL %s: %v\n", name, err)
		return
	}
	fmt.Println("ok", name)
}

func open(change func(*mysql.Config)) *sql.DB {
	config := mysql.NewConfig()
	config.Net = "tcp"
	config.Addr = os.Getenv("ODP_HOST") + ":" + os.Getenv("ODP_PORT")
	config.User = os.Getenv("ODP_USER")
	config.Passwd = os.Getenv("ODP_PASSWORD")
	config.DBName = os.Getenv("ODP_DATABASE")
	config.ParseTime = true
	if ca := os.Getenv("ODP_CA"); ca != "" {
		authority, err := os.ReadFile(ca)
		if err != nil {
			panic(err)
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(authority)
		if err := mysql.RegisterTLSConfig("odp", &tls.Config{RootCAs: pool}); err != nil {
			panic(err)
		}
		config.TLSConfig = "odp"
	}
	change(config)
	connector, err := mysql.NewConnector(config)
	if err != nil {
		panic(err)
	}
	return sql.OpenDB(connector)
}

func writeAndRead(db *sql.DB, id int) error {
	result, err := db.Exec("INSERT INTO "+table+" (id, d, f, dt, ts, b, s, n) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
		id, decimal, 1.5, day, moment, raw, text, nil)
	if err != nil {
		return err
	}
	if count, _ := result.RowsAffected(); count != 1 {
		return fmt.Errorf("%d rows", count)
	}
	var (
		gotDecimal, gotText string
		float               float64
		gotDay, gotMoment   time.Time
		gotRaw              []byte
		null                sql.NullInt64
	)
	err = db.QueryRow("SELECT d, f, dt, ts, b, s, n FROM "+table+" WHERE id = ?", id).
		Scan(&gotDecimal, &float, &gotDay, &gotMoment, &gotRaw, &gotText, &null)
	if err != nil {
		return err
	}
	if gotDecimal != decimal || float != 1.5 || !gotDay.Equal(day) || !gotMoment.Equal(moment) ||
		!bytes.Equal(gotRaw, raw) || gotText != text || null.Valid {
		return fmt.Errorf("%s %v %v %v %x %q %v", gotDecimal, float, gotDay, gotMoment, gotRaw, gotText, null)
	}
	return nil
}
