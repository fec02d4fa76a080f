// Reads a ServiceMonitor as JSON from standard input and checks it with the schema of the operator.
import { ServiceMonitor } from "@kubernetes-models/prometheus-operator/monitoring.coreos.com/v1/ServiceMonitor";
import { readFileSync } from "node:fs";

try {
  new ServiceMonitor(JSON.parse(readFileSync(0, "utf8"))).validate();
} catch (error) {
  console.log(error.message);
  process.exitCode = 1;
}
