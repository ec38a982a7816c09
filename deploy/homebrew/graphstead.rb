class Graphstead < Formula
  desc "Server that stores graphs, shares them, and records all changes"
  homepage "{{url}}"
  version "{{version}}"
  license "MIT"

  livecheck do
    url "{{url}}/latest/SHA256SUMS"
    regex(/graphstead-v?(\d+(?:\.\d+)+)-darwin-arm64\.tar\.xz/i)
  end

  on_macos do
    on_arm do
      url "{{url}}/v{{version}}/graphstead-{{version}}-darwin-arm64.tar.xz"
      sha256 "{{sha256 of darwin-arm64}}"
    end
    on_intel do
      url "{{url}}/v{{version}}/graphstead-{{version}}-darwin-x64.tar.xz"
      sha256 "{{sha256 of darwin-x64}}"
    end
  end

  on_linux do
    on_arm do
      url "{{url}}/v{{version}}/graphstead-{{version}}-linux-arm64.tar.xz"
      sha256 "{{sha256 of linux-arm64}}"
    end
    on_intel do
      url "{{url}}/v{{version}}/graphstead-{{version}}-linux-x64.tar.xz"
      sha256 "{{sha256 of linux-x64}}"
    end
  end

  def install
    bin.install "graphstead"
  end

  # The folder is private because the log in it contains the first password.
  def post_install
    (var/"graphstead").mkpath
    chmod 0700, var/"graphstead"
  end

  def caveats
    <<~EOS
      The first start writes the password of the user admin to
        #{var}/graphstead/graphstead.log
      To run commands on the data of the service, pass
        --data #{var}/graphstead
    EOS
  end

  service do
    run [opt_bin/"graphstead", "serve", "--data", var/"graphstead"]
    keep_alive true
    working_dir var
    log_path var/"graphstead/graphstead.log"
    error_log_path var/"graphstead/graphstead.log"
  end

  test do
    assert_equal version.to_s, shell_output("#{bin}/graphstead --version").strip
    port = free_port
    pid = spawn bin/"graphstead", "serve", "--port", port.to_s, "--data", "#{testpath}/data"
    output = shell_output("curl --silent --retry 10 --retry-connrefused http://127.0.0.1:#{port}/readyz")
    assert_match "\"status\":\"ok\"", output
  ensure
    Process.kill "TERM", pid if pid
  end
end
