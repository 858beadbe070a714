import { parentPort } from 'node:worker_threads'

import type { DossierDocument } from './document.ts'
import { writePdf } from './pdf/write-pdf.server.ts'
import { addSignatureField, measureSignature, signPdf } from './signature.server.ts'
import type { SigningKey } from './signing-key.server.ts'
import { writeZip } from './workbooks.server.ts'

/** The task of a thread, which it is given once. */
export interface ThreadTask {
  readonly document: DossierDocument
  readonly signing: SigningKey | null
}
/** How far it is, from 0 to 1, and at the end the files. */
export type ThreadAnswer =
  | { readonly progress: number }
  | { readonly pdf: Uint8Array<ArrayBuffer>; readonly zip: Uint8Array<ArrayBuffer>; readonly pages: number }

/** The part of the work after which the PDF is written. */
const PDF_SHARE = 0.8

const make = async ({ document, signing }: ThreadTask): Promise<ThreadAnswer> => {
  // oxlint-disable-next-line require-post-message-target-origin -- a port of a thread, not a window
  const report = (progress: number): void => parentPort?.postMessage({ progress } satisfies ThreadAnswer)
  const size = signing ? await measureSignature(signing) : 0
  const { bytes, pages } = await writePdf(
    document,
    (done, of) => report((done / of) * PDF_SHARE),
    (target) => {
      if (signing) addSignatureField(target, signing, size, new Date(document.madeAt))
    },
  )
  const pdf = signing ? await signPdf(bytes, signing) : bytes
  return { pdf: new Uint8Array(pdf), zip: new Uint8Array(await writeZip(document, pdf)), pages }
}

parentPort?.once('message', (task: ThreadTask) => {
  void make(task).then((answer) => parentPort?.postMessage(answer, 'pdf' in answer ? [answer.pdf.buffer, answer.zip.buffer] : []))
})
