// A MongoDB server for tests: FerretDB 1.24.0 on SQLite files in a folder.
// Usage: ferretdb ADDRESS FOLDER. Ends with SIGTERM or SIGINT.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: ferretdb ADDRESS FOLDER")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{TCP: os.Args[1]},
		Handler:   "sqlite",
		SQLiteURL: "file:" + os.Args[2] + "/",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(server.MongoDBURI())
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
