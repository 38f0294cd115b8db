// Fetches pages with the client of Go: see program-clients.ts.
package main

import (
	"bufio"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
)

func main() {
	pem, err := os.ReadFile(os.Args[1])
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		status, body := fetch(roots, strings.Split(lines.Text(), "\t"))
		fmt.Printf("%d %s\n", status, base64.StdEncoding.EncodeToString(body))
	}
}

func fetch(roots *x509.CertPool, visit []string) (int, []byte) {
	version := uint16(tls.VersionTLS13)
	if visit[1] == "1.2" {
		version = tls.VersionTLS12
	}
	config := &tls.Config{
		RootCAs:       roots,
		MinVersion:    version,
		MaxVersion:    version,
		Renegotiation: tls.RenegotiateOnceAsClient,
	}
	if visit[2] != "" {
		pair, err := tls.LoadX509KeyPair(visit[2], visit[3])
		if err != nil {
			panic(err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	transport := &http.Transport{TLSClientConfig: config}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequest("GET", visit[0], nil)
	if err != nil {
		panic(err)
	}
	if visit[4] != "" {
		request.SetBasicAuth(visit[4], visit[5])
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		fmt.Fprintln(os.Stderr, visit[0], err)
		return 0, nil
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		fmt.Fprintln(os.Stderr, visit[0], err)
		return 0, nil
	}
	return response.StatusCode, body
}
