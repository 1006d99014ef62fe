// Runs the audit, a program for wasm32-wasip1, with one file in a folder that exists in memory alone.

import { ConsoleStdout, File, OpenFile, PreopenDirectory, WASI } from "@bjorn3/browser_wasi_shim";

export type Job = { program: WebAssembly.Module; sha256: string; name: string; bytes: ArrayBuffer; rules: string; players: string };
export type Answer = { progress: [number, number] } | { error: string } | { exit: number; text: string; certificate?: Uint8Array; report?: Uint8Array };

const post = (answer: Answer): void => postMessage(answer);

async function audit(job: Job): Promise<void> {
  const folder = new Map([[job.name, new File(job.bytes, { readonly: true })]]);
  const here = new PreopenDirectory(".", folder);
  const lines: string[] = [];
  const say = ConsoleStdout.lineBuffered((line) => {
    const [, counted, total] = /^progress (\d+) (\d+)$/.exec(line) ?? [];
    if (counted === undefined) lines.push(line);
    else post({ progress: [Number(counted), Number(total)] });
  });
  const nothing = new OpenFile(new File([]));
  const wasi = new WASI(["deckproof", `./${job.name}`, job.rules, job.players], [`EXECUTABLE_SHA256=${job.sha256}`], [nothing, say, say, here], { debug: false });
  const instance = await WebAssembly.instantiate(job.program, { wasi_snapshot_preview1: wasi.wasiImport });
  const exit = wasi.start(instance as { exports: { memory: WebAssembly.Memory; _start: () => unknown } });
  const written = (name: string): Uint8Array | undefined => (here.dir.contents.get(name) as File | undefined)?.data;
  const [certificate, report] = [written("certificate.json"), written("report.html")];
  post({ exit, text: lines.join("\n"), ...(certificate && { certificate }), ...(report && { report }) });
}

onmessage = (event: MessageEvent<Job>): void => {
  audit(event.data).catch((error: unknown) => post({ error: String(error) }));
};
