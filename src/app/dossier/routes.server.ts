import { recordAffairRead } from '../../platform/server/audit.ts'
import { handle, type HandlerContext, type Route } from '../../platform/server/handler.ts'
import { findModelId } from '../../platform/server/read-model/read-record.ts'
import { sendFile, sendFileHead } from '../../platform/server/send-file.ts'
import { createDossier, downloadDossierPdf, downloadDossierZip, listDossiers, readDossier, verifyDossier } from './contract.ts'
import { insertDossier } from './mutations.server.ts'
import { assertKept, getDossier, listDossiersOf, readFileBytes, verifyFile } from './queries.server.ts'
import { wakeDossierQueue } from './queue.server.ts'

const TYPES = { pdf: 'application/pdf', zip: 'application/zip' } as const

/** Sends a file of a dossier and logs the download. */
const sendDossier = async (
  kind: keyof typeof TYPES,
  { params, ...caller }: HandlerContext<typeof downloadDossierPdf | typeof downloadDossierZip>,
) => {
  const { context, request, reply } = caller
  const dossier = await getDossier(context, params.id)
  assertKept(dossier, context.configuration.timeZone)
  const name = `${dossier.charter.name} dossier ${dossier.on}.${kind}`.replaceAll(/[^\p{L}\p{M}\p{N} ._-]/gu, '-')
  if (request.method === 'HEAD') return sendFileHead(reply, TYPES[kind], name)
  return sendFile(caller, () =>
    Promise.resolve({
      kind: `dossier of ${dossier.charter.name} (${kind.toUpperCase()}), ${dossier._id}`,
      name,
      type: TYPES[kind],
      chunks: readFileBytes(context, dossier._id, kind),
      close: () => {},
    }),
  )
}

export const dossierRoutes: Route[] = [
  handle(createDossier, async ({ context, user, body, request }) => {
    const { _id, charter } = await insertDossier(context, user, body)
    await recordAffairRead(context, request, 'dossier', charter)
    wakeDossierQueue(context)
    return { _id }
  }),
  handle(listDossiers, async ({ context, query }) =>
    listDossiersOf(context, await findModelId(context.readModel, 'charter', query.charter)),
  ),
  handle(readDossier, async ({ context, params }) => getDossier(context, params.id)),
  handle(downloadDossierPdf, async (caller) => sendDossier('pdf', caller)),
  handle(downloadDossierZip, async (caller) => sendDossier('zip', caller)),
  handle(verifyDossier, async ({ context, file }) => verifyFile(context, file)),
]
