/** From now on what this thread prints goes to standard error: standard output is the command's answer. */
export function printToStandardError(): void {
  process.stdout.write = process.stderr.write.bind(process.stderr);
}
