// Go's net/http: HTTP/2 and HTTP/1.1 over TLS.
//
//	go run answers.go PORT CERTIFICATE KEY
//
// /early/STATUS answers before the body has been read. /cut/abort ends a response in the middle, and
// /cut/length with fewer bytes than it has announced.
package main

import (
	"bytes"
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
)

func answer(writer http.ResponseWriter, request *http.Request) {
	words := strings.Split(request.URL.Path, "/")
	switch words[1] {
	case "early":
		status, _ := strconv.Atoi(words[2])
		if status == 303 {
			http.Redirect(writer, request, "/hello", status)
			return
		}
		http.Error(writer, "early", status)
	case "cut":
		if words[2] == "length" {
			writer.Header().Set("Content-Length", "1000000")
		}
		writer.Write(bytes.Repeat([]byte("x"), 12288))
		writer.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	default:
		io.Copy(io.Discard, request.Body)
		io.WriteString(writer, "hello")
	}
}

func main() {
	log.SetOutput(io.Discard)
	address := "127.0.0.1:" + os.Args[1]
	log.SetOutput(os.Stderr)
	log.Fatal(http.ListenAndServeTLS(address, os.Args[2], os.Args[3], http.HandlerFunc(answer)))
}
