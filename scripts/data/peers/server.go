// A server over Go's net/http for scripts/check/peers: HTTP/1.1 and HTTP/2 over TLS on one port, HTTP/1.1 without TLS on
// another, which nginx passes requests to. It prints both ports as soon as it listens.
//
// usage: server CERTIFICATE KEY
package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"crypto/tls"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
)

// The number of times that each request arrived, by the id of a request that the client must not send twice.
var received = struct {
	sync.Mutex
	counts map[string]int
}{counts: map[string]int{}}

func number(r *http.Request, prefix string) int {
	n, err := strconv.Atoi(strings.TrimPrefix(r.URL.Path, prefix))
	if err != nil || n < 0 || n > 1<<30 {
		return 0
	}
	return n
}

func pattern(offset, count int) []byte {
	bytes := make([]byte, count)
	for i := range bytes {
		bytes[i] = byte((offset + i) % 251)
	}
	return bytes
}

func write(w http.ResponseWriter, count int) {
	for offset := 0; offset < count; {
		size := 32 * 1024
		if size > count-offset {
			size = count - offset
		}
		if _, err := w.Write(pattern(offset, size)); err != nil {
			return
		}
		offset += size
	}
}

func flush(w http.ResponseWriter) {
	if flusher, ok := w.(http.Flusher); ok {
		flusher.Flush()
	}
}

func main() {
	log.SetOutput(io.Discard)
	mux := http.NewServeMux()
	mux.HandleFunc("/ok", func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Proto) })
	mux.HandleFunc("/bytes/", func(w http.ResponseWriter, r *http.Request) {
		count := number(r, "/bytes/")
		w.Header().Set("Content-Length", strconv.Itoa(count))
		if r.Method != http.MethodHead {
			write(w, count)
		}
	})
	mux.HandleFunc("/digest", func(w http.ResponseWriter, r *http.Request) {
		hash := sha256.New()
		count, err := io.Copy(hash, r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprintf(w, "%d %x", count, hash.Sum(nil))
	})
	mux.HandleFunc("/trailers", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Trailer", "X-Checksum")
		fmt.Fprint(w, "trailers follow")
		flush(w)
		w.Header().Set("X-Checksum", "1")
	})
	mux.HandleFunc("/request-trailers", func(w http.ResponseWriter, r *http.Request) {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			panic(http.ErrAbortHandler)
		}
		fmt.Fprint(w, r.Trailer.Get("X-Checksum"))
	})
	mux.HandleFunc("/turns", func(w http.ResponseWriter, r *http.Request) {
		flush(w)
		buffer := make([]byte, 1024)
		for {
			count, err := r.Body.Read(buffer)
			if count > 0 {
				w.Write(buffer[:count])
				flush(w)
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				panic(http.ErrAbortHandler)
			}
		}
	})
	mux.HandleFunc("/reset", func(w http.ResponseWriter, r *http.Request) { panic(http.ErrAbortHandler) })
	mux.HandleFunc("/reset-middle", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Length", "100000")
		write(w, 50000)
		flush(w)
		panic(http.ErrAbortHandler)
	})
	mux.HandleFunc("/early/", func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(number(r, "/early/"))
		fmt.Fprint(w, "early")
	})
	mux.HandleFunc("/hints", func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < 3; i++ {
			w.Header().Set("Link", "</style.css>; rel=preload")
			w.WriteHeader(103)
		}
		w.Header().Del("Link")
		fmt.Fprint(w, "hints came first")
	})
	mux.HandleFunc("/status/", func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(number(r, "/status/")) })
	mux.HandleFunc("/gzip", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		coder := gzip.NewWriter(w)
		coder.Write(pattern(0, 100000))
		coder.Close()
	})
	mux.HandleFunc("/large-head", func(w http.ResponseWriter, r *http.Request) {
		for i := 0; i < 30; i++ {
			w.Header().Set(fmt.Sprintf("X-Large-%d", i), strings.Repeat("x", 1024))
		}
		fmt.Fprint(w, "large head")
	})
	mux.HandleFunc("/head-size", func(w http.ResponseWriter, r *http.Request) {
		size := 0
		for name, values := range r.Header {
			if strings.HasPrefix(name, "X-Large-") {
				size += len(strings.Join(values, ""))
			}
		}
		fmt.Fprint(w, size)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		time.Sleep(50 * time.Millisecond)
		fmt.Fprint(w, r.Proto)
	})
	mux.HandleFunc("/once", func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		received.Lock()
		received.counts[r.URL.Query().Get("id")]++
		received.Unlock()
		fmt.Fprint(w, "received")
	})
	mux.HandleFunc("/duplicates", func(w http.ResponseWriter, r *http.Request) {
		prefix, total, duplicates := r.URL.Query().Get("prefix"), 0, 0
		received.Lock()
		defer received.Unlock()
		for id, count := range received.counts {
			if strings.HasPrefix(id, prefix) {
				total++
				if count > 1 {
					duplicates++
				}
			}
		}
		fmt.Fprintf(w, "%d %d", total, duplicates)
	})

	plain, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	secure, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		os.Exit(1)
	}
	fmt.Println(secure.Addr().(*net.TCPAddr).Port, plain.Addr().(*net.TCPAddr).Port)
	go http.Serve(plain, mux)
	server := &http.Server{Handler: mux, TLSConfig: &tls.Config{}}
	go server.ServeTLS(secure, os.Args[1], os.Args[2])
	// The process that started the server closes its input, which ends the server.
	bufio.NewReader(os.Stdin).ReadString(0)
	stop, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	server.Shutdown(stop)
}
