"""Certificates that openssl makes on the spot, in a folder that goes with the servers."""

import os
import random
import subprocess


class Authority:
    """A certificate authority whose files begin with its name."""

    def __init__(self, folder, name):
        self.folder = folder
        self.name = name
        self.certificate = self.path(name + ".pem")
        self.key = self._key(name)
        _openssl("req", "-x509", "-new", "-key", self.key, "-out", self.certificate, "-days", "2",
                 "-subj", "/CN=Test " + name)

    def path(self, name):
        return os.path.join(self.folder, name)

    def _key(self, name):
        path = self.path(name + ".key")
        _openssl("ecparam", "-genkey", "-name", "prime256v1", "-noout", "-out", path)
        return path

    def issue(self, name, names):
        """Makes NAME.pem and NAME.key for the alternative names, and NAME.pair with both."""
        key = self._key(name)
        request, extensions, path = (self.path(name + end) for end in (".csr", ".ext", ".pem"))
        _openssl("req", "-new", "-key", key, "-subj", "/CN=" + name, "-out", request)
        with open(extensions, "w") as file:
            file.write("subjectAltName=%s\n" % names)
        _openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key,
                 "-set_serial", str(random.randrange(1, 1 << 32)), "-extfile", extensions,
                 "-out", path, "-days", "2")
        with open(self.path(name + ".pair"), "w") as pair:
            for part in (path, key):
                with open(part) as file:
                    pair.write(file.read())
        return path, key


def _openssl(*arguments):
    subprocess.run(("openssl",) + arguments, check=True, stdin=subprocess.DEVNULL,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
