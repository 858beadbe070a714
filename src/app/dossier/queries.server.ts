import { sql } from 'kysely'

import { DAY_MS, formatDay, toIsoDay } from '../../contract/dates.ts'
import { notFound, Problem } from '../../contract/problem.ts'
import type { AppContext } from '../../platform/server/app-context.ts'
import type { Dossier, Verification } from './contract.ts'
import { type DossierPart, KEEP_DAYS } from './rules.ts'
import { digest } from './signing-key.server.ts'

type FileKind = 'pdf' | 'zip'

const selectDossiers = ({ db }: Pick<AppContext, 'db'>) =>
  db.selectFrom('dossier').select((eb) => [
    '_id',
    'by',
    'charter',
    'name',
    'on',
    'from',
    'to',
    'parts',
    'state',
    'progress',
    'failure',
    'createdAt',
    'madeAt',
    'change',
    'pages',
    'signedBy',
    'certificate',
    // Without the bytes.
    sql<{ kind: FileKind; sha256: string; bytes: number; isKept: boolean }[]>`(
      select coalesce(json_agg(json_build_object('kind', f.kind, 'sha256', f.sha256, 'bytes', f.size, 'isKept', f.bytes is not null)), '[]')
      from dossier_file as f where f.dossier = ${eb.ref('dossier._id')})`.as('files'),
  ])
type DossierRow = Awaited<ReturnType<ReturnType<typeof selectDossiers>['execute']>>[number]

const toDossier = ({ readModel }: AppContext, row: DossierRow): Dossier => {
  const toFile = (kind: FileKind): Dossier['pdf'] => {
    const file = row.files.find((one) => one.kind === kind)
    return file ? { bytes: file.bytes, sha256: file.sha256 } : null
  }
  const { charter, name, files, certificate: _certificate, madeAt, createdAt, parts, state, ...rest } = row
  return {
    ...rest,
    charter: { _id: charter, slug: readModel.table('charter').get(charter)?.slug ?? null, name },
    parts: parts as DossierPart[],
    state: files.some(({ isKept }) => !isKept) ? 'deleted' : state,
    createdAt: createdAt.toISOString(),
    madeAt: madeAt?.toISOString() ?? null,
    deletedAt: madeAt ? new Date(madeAt.getTime() + KEEP_DAYS * DAY_MS).toISOString() : null,
    pdf: toFile('pdf'),
    zip: toFile('zip'),
  }
}

/** A dossier; throws 404. */
export const getDossier = async (context: AppContext, _id: string): Promise<Dossier> => {
  await context.readModel.ready()
  const row = await selectDossiers(context).where('_id', '=', _id).executeTakeFirst()
  if (!row) throw notFound('Dossier')
  return toDossier(context, row)
}

const MAX_LISTED = 100

/** The dossiers of a charter whose files are not deleted, newest first. */
export const listDossiersOf = async (context: AppContext, charter: string): Promise<Dossier[]> => {
  const rows = await selectDossiers(context).where('charter', '=', charter).orderBy('createdAt', 'desc').limit(MAX_LISTED).execute()
  return rows.map((row) => toDossier(context, row)).filter(({ state }) => state !== 'deleted')
}

/** Throws 409 for a dossier that is not done, and 404 once its files are deleted. */
export const assertKept = ({ state, failure, madeAt }: Dossier, timeZone: string): void => {
  if (state === 'failed') throw new Problem(409, 'This dossier could not be made', { detail: failure ?? '' })
  if (state === 'deleted')
    throw new Problem(404, 'The files of this dossier were deleted', {
      detail: `They are kept for ${KEEP_DAYS} days. This one was made on ${madeAt === null ? '' : formatDay(toIsoDay(madeAt, timeZone))}.`,
    })
  if (state !== 'done')
    throw new Problem(409, 'This dossier is not ready yet', { detail: 'Try again when its state is "done".', retryAfter: 2 })
}

const PIECE_BYTES = 1_048_576

/** The bytes of a file, a piece at a time. */
export async function* readFileBytes({ db }: AppContext, _id: string, kind: FileKind): AsyncGenerator<Buffer> {
  for (let at = 1; ; at += PIECE_BYTES) {
    const { rows } = await sql<{ piece: Buffer | null }>`
      select substring(bytes from ${at}::int for ${PIECE_BYTES}::int) as piece from dossier_file where dossier = ${_id}::uuid and kind = ${kind}`.execute(
      db,
    )
    const piece = rows[0]?.piece
    if (!piece) throw new Error('The file of a dossier was deleted while it was read')
    if (piece.length > 0) yield piece
    if (piece.length < PIECE_BYTES) return
  }
}

const IDENTIFIER = /^urn:uuid:([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})/
/** A dossier has its identifier twice; any other file may contain more. */
const MAX_IDENTIFIERS = 20

/** The identifiers in a file that may be those of dossiers. */
const findIdentifiers = (file: Buffer): string[] => {
  const found = new Set<string>()
  for (
    let at = file.indexOf('urn:uuid:'), count = 0;
    at !== -1 && count < MAX_IDENTIFIERS;
    at = file.indexOf('urn:uuid:', at + 1), count++
  ) {
    const [, _id] = IDENTIFIER.exec(file.subarray(at, at + 45).toString('latin1')) ?? []
    if (_id !== undefined) found.add(_id)
  }
  return [...found]
}

/** What this server knows of a file: by its sum, or by the identifier in it if its bytes are not those of a dossier. */
export const verifyFile = async (context: AppContext, bytes: Uint8Array): Promise<Verification> => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const sum = await digest(new Uint8Array(file))
  const same = await context.db.selectFrom('dossier_file').select(['dossier', 'kind']).where('sha256', '=', sum).executeTakeFirst()
  const ids = same ? [same.dossier] : findIdentifiers(file)
  const row =
    ids.length === 0 ? undefined : await selectDossiers(context).where('_id', 'in', ids).where('madeAt', 'is not', null).executeTakeFirst()
  // Loaded with the first check: the library takes 12 MB.
  const { checkSignature } = await import('./signature.server.ts')
  const { state, by, certificate } = await checkSignature(file)
  return {
    result: !row ? 'unknown' : same ? 'unchanged' : 'changed',
    file: same?.kind ?? (row ? 'pdf' : null),
    dossier: row
      ? {
          _id: row._id,
          charter: row.name,
          on: row.on,
          from: row.from,
          to: row.to,
          madeAt: row.madeAt?.toISOString() ?? null,
          change: row.change,
          signedBy: row.signedBy,
        }
      : null,
    signature: { state, by, isOfDossier: row !== undefined && certificate !== null && certificate === row.certificate },
  }
}
