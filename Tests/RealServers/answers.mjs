// Node's own servers: HTTP/2 with HTTP/1.1 over TLS, and HTTP/1.1 without.
//
//     node answers.mjs SECURE_PORT PLAIN_PORT CERTIFICATE KEY
//
// /early/STATUS answers before the body has been read. /cut/HOW ends a response in the middle.
// /head/BYTES has a header section of that many bytes.
import { readFileSync } from "node:fs";
import http from "node:http";
import http2 from "node:http2";

const [securePort, plainPort, certificate, key] = process.argv.slice(2);
const piece = Buffer.alloc(4096, "x");
const codes = {
  "no-error": http2.constants.NGHTTP2_NO_ERROR,
  internal: http2.constants.NGHTTP2_INTERNAL_ERROR,
  cancel: http2.constants.NGHTTP2_CANCEL,
};

function answer(request, response) {
  const [, path, detail] = request.url.split("/");
  request.on("error", () => {});
  response.on("error", () => {});
  if (path === "early") {
    const fields = { "content-type": "text/plain" };
    if (detail === "303") fields.location = "/hello";
    response.writeHead(Number(detail), fields);
    response.end("early");
  } else if (path === "cut") {
    cut(request, response, detail);
  } else if (path === "head") {
    const fields = {};
    for (let left = Number(detail), number = 0; left > 0; left -= 4000, number += 1) {
      fields[`x-filler-${number}`] = "y".repeat(Math.min(left, 4000));
    }
    response.writeHead(200, fields);
    response.end("head");
  } else {
    request.resume();
    request.on("end", () => response.end("hello"));
  }
}

// Ends a response after three pieces, in one of several ways.
function cut(request, response, how) {
  if (how === "close") {
    // No framing: the body ends with the connection.
    response.shouldKeepAlive = false;
    response.useChunkedEncodingByDefault = false;
    response.removeHeader("transfer-encoding");
  }
  response.writeHead(200, how === "length" ? { "content-length": "1000000" } : {});
  const parts = Buffer.concat([piece, piece, piece]);
  response.write(parts, () => {
    // The client has read the pieces before the end comes.
    setTimeout(() => {
      if (how in codes && response.stream) response.stream.close(codes[how]);
      else if (how === "length" && response.stream) response.stream.end();
      else if (response.stream) response.stream.session.destroy();
      else request.socket.destroy();
    }, 20);
  });
}

const options = {
  cert: readFileSync(certificate),
  key: readFileSync(key),
  allowHTTP1: true,
  maxSendHeaderBlockLength: 1 << 22,
};
const secure = http2.createSecureServer(options, answer);
secure.on("sessionError", () => {});
secure.listen(Number(securePort), "127.0.0.1");
http.createServer(answer).listen(Number(plainPort), "127.0.0.1");
