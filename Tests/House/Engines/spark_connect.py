"""Starts Spark's Connect server on loopback, with as many workers as the argument says, each in its own process. Prints its
address as JSON, and ends when standard input is closed. Spark creates its files in a folder that the script removes."""
import json
import os
import shutil
import signal
import socket
import sys
import tempfile

import engine
import pyspark


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port):
    socket.create_connection(("127.0.0.1", port), 1).close()


folder = tempfile.mkdtemp(prefix="predicate-spark-")
server = None


def close(*_):
    # The script runs Java in its own process group.
    if server is not None and server.poll() is None:
        os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(20)
        except Exception:
            os.killpg(server.pid, signal.SIGKILL)
    shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0)


signal.signal(signal.SIGTERM, close)
home = os.path.dirname(pyspark.__file__)
port = free_port()
settings = {
    "spark.connect.grpc.binding.address": "127.0.0.1", "spark.connect.grpc.binding.port": str(port),
    "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.driver.memory": "1g",
    "spark.executor.memory": "512m", "spark.ui.enabled": "false", "spark.sql.session.timeZone": "UTC",
    "spark.sql.warehouse.dir": os.path.join(folder, "warehouse"), "spark.local.dir": folder,
    "spark.log.level": "ERROR", "spark.sql.shuffle.partitions": "2",
    # Snappy takes a system that also has musl for one with musl, and cannot load its library.
    "spark.sql.parquet.compression.codec": "uncompressed",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
}
arguments = [os.path.join(home, "sbin", "start-connect-server.sh"), "--master", f"local-cluster[{sys.argv[1]},1,512]"]
for name, value in settings.items():
    arguments += ["--conf", f"{name}={value}"]
os.environ.update({
    "SPARK_HOME": home, "SPARK_NO_DAEMONIZE": "1", "SPARK_LOG_DIR": folder, "SPARK_PID_DIR": folder,
    "SPARK_WORKER_DIR": folder, "SPARK_LOCAL_HOSTNAME": "127.0.0.1",
})
server = engine.spawn(["setsid", *arguments], folder)
try:
    engine.connected(lambda: answers(port), server, folder, seconds=240)
    print(json.dumps({"address": f"sc://127.0.0.1:{port}", "folder": folder}), flush=True)
except Exception as error:
    print(json.dumps({"error": str(error)[-2000:]}), flush=True)
    close()
sys.stdin.read()
close()
