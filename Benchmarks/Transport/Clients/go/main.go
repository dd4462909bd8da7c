// Go's net/http: one Transport, C goroutines.
package main

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"net/http"
	"os"
	"sort"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

func cpu() (float64, float64, int64) {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	f := func(t syscall.Timeval) float64 { return float64(t.Sec) + float64(t.Usec)/1e6 }
	return f(r.Utime), f(r.Stime), r.Maxrss
}

type rep struct {
	left  int64
	chunk []byte
}

func (r *rep) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n := len(p)
	if n > len(r.chunk) {
		n = len(r.chunk)
	}
	if int64(n) > r.left {
		n = int(r.left)
	}
	copy(p[:n], r.chunk)
	r.left -= int64(n)
	return n, nil
}

func main() {
	if len(os.Args) < 5 {
		fmt.Fprintln(os.Stderr, "usage: URL N C get|h2|fresh|down|up")
		os.Exit(2)
	}
	url, mode := os.Args[1], os.Args[4]
	n, _ := strconv.ParseInt(os.Args[2], 10, 64)
	c, _ := strconv.Atoi(os.Args[3])
	expect, err := strconv.ParseInt(os.Getenv("BENCH_EXPECT_BYTES"), 10, 64)
	if err != nil {
		expect = -1
	}
	up, err := strconv.ParseInt(os.Getenv("BENCH_UPLOAD_BYTES"), 10, 64)
	if err != nil {
		up = 1 << 30
	}
	u0, s0, _ := cpu()
	start := time.Now()
	tr := &http.Transport{MaxIdleConns: c + 8, MaxIdleConnsPerHost: c + 8, DisableCompression: os.Getenv("BENCH_CODING") == "",
		DisableKeepAlives: mode == "fresh", ForceAttemptHTTP2: mode == "h2", WriteBufferSize: 64 << 10, ReadBufferSize: 4 << 10}
	if mode == "down" {
		tr.ReadBufferSize = 64 << 10
	}
	if ca := os.Getenv("BENCH_CA"); ca != "" {
		pem, err := os.ReadFile(ca)
		if err != nil {
			panic(err)
		}
		pool := x509.NewCertPool()
		pool.AppendCertsFromPEM(pem)
		tr.TLSClientConfig = &tls.Config{RootCAs: pool}
	}
	client := &http.Client{Transport: tr}
	var next, total, errors int64
	var mu sync.Mutex
	var all []time.Duration
	var wg sync.WaitGroup
	for i := 0; i < c; i++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			var local []time.Duration
			var buf bytes.Buffer
			for atomic.AddInt64(&next, 1) <= n {
				t := time.Now()
				method, body := "GET", io.Reader(nil)
				if mode == "up" {
					method, body = "PUT", &rep{up, bytes.Repeat([]byte("a"), 64<<10)}
				}
				req, err := http.NewRequest(method, url, body)
				if err != nil {
					panic(err)
				}
				if mode == "up" {
					req.ContentLength = up
				}
				resp, err := client.Do(req)
				var got int64
				if err == nil {
					if mode == "down" {
						b := make([]byte, 128<<10)
						for {
							k, e := resp.Body.Read(b)
							got += int64(k)
							if e != nil {
								if e != io.EOF {
									err = e
								}
								break
							}
						}
					} else {
						buf.Reset()
						got, err = buf.ReadFrom(resp.Body)
					}
					resp.Body.Close()
					if resp.StatusCode != 200 {
						atomic.AddInt64(&errors, 1)
					}
				}
				if err != nil || (expect >= 0 && got != expect) {
					if atomic.AddInt64(&errors, 1) == 1 {
						fmt.Fprintln(os.Stderr, err)
					}
				}
				atomic.AddInt64(&total, got)
				local = append(local, time.Since(t))
			}
			mu.Lock()
			all = append(all, local...)
			mu.Unlock()
		}()
	}
	wg.Wait()
	wall := time.Since(start).Seconds()
	u1, s1, _ := cpu()
	rss := int64(0) // VmHWM, not ru_maxrss, which begins with the parent's value at the fork
	if b, e := os.ReadFile("/proc/self/status"); e == nil {
		if i := bytes.Index(b, []byte("VmHWM:")); i >= 0 {
			fmt.Sscan(string(b[i+6:]), &rss)
		}
	}
	sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
	q := func(p float64) float64 {
		i := int(float64(len(all)) * p)
		if i >= len(all) {
			i = len(all) - 1
		}
		return float64(all[i].Nanoseconds()) / 1000
	}
	u, s, k := u1-u0, s1-s0, float64(len(all))
	fmt.Printf("{\"client\":\"go\",\"mode\":\"%s\",\"n\":%d,\"c\":%d,\"wall_s\":%.6f,\"rps\":%.1f,\"user_s\":%.6f,\"sys_s\":%.6f,\"cpu_s\":%.6f,\"cpu_us_per_req\":%.3f,\"maxrss_kb\":%d,\"p50_us\":%.1f,\"p99_us\":%.1f,\"p999_us\":%.1f,\"bytes\":%d,\"errors\":%d,\"note\":\"\"}\n",
		mode, len(all), c, wall, k/wall, u, s, u+s, (u+s)*1e6/k, rss, q(.5), q(.99), q(.999), total, errors)
	if errors != 0 {
		os.Exit(1)
	}
}
