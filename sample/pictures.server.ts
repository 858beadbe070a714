import { createHash } from 'node:crypto'

import sharp from 'sharp'

import type { Tx } from '../src/database/connection.server.ts'
import { renderBrandPhoto, renderCharterPhoto, renderIcon, LANDSCAPES } from './brand-icons.ts'
import { FACADES, renderFacade } from './facades.ts'
import type { PictureKeys } from './history.ts'
import type { PlannedBrand, Plan } from './plan.ts'

const render = async (svg: string): Promise<{ _id: string; bytes: Buffer; width: number; height: number }> => {
  const { data, info } = await sharp(Buffer.from(svg)).webp({ quality: 82, effort: 1 }).toBuffer({ resolveWithObject: true })
  return { _id: createHash('sha256').update(data).digest('hex'), bytes: data, width: info.width, height: info.height }
}

/** Draws the pictures that this network uses and writes them; a network with one site draws one façade. */
export const writePictures = async (tx: Tx, plan: Plan): Promise<PictureKeys> => {
  const written = new Set<string>()
  const write = async (svg: string): Promise<string> => {
    const picture = await render(svg)
    if (!written.has(picture._id)) {
      written.add(picture._id)
      await tx
        .insertInto('picture')
        .values({ ...picture, type: 'image/webp', createdAt: plan.day })
        .onConflict((already) => already.doNothing())
        .execute()
    }
    return picture._id
  }
  const used = new Set(plan.sites.map(({ facade }) => facade))
  const facades = await Promise.all(FACADES.map(async (facade, number) => (used.has(number) ? write(renderFacade(facade)) : '')))
  const brands = await Promise.all(
    plan.brands.map(async ({ _id, index, color }) => {
      const [brandPhoto, brandIcon] = await Promise.all([write(renderBrandPhoto(index, color)), write(renderIcon(index, color))])
      return [_id, { brandPhoto, brandIcon }] as const
    }),
  )
  const landscapes = new Map(
    await Promise.all(plan.brands.map(async (brand) => [brand._id, await Promise.all(listLandscapes(brand).map(write))] as const)),
  )
  return {
    facades,
    brands: new Map(brands),
    // One charter in six has no photo.
    charterPhoto: ({ index, brand }) => (index % 6 === 4 ? null : (landscapes.get(brand._id)?.[index % LANDSCAPES] ?? null)),
  }
}

const listLandscapes = ({ index, color, charters }: PlannedBrand): string[] =>
  Array.from({ length: charters.length === 0 ? 0 : LANDSCAPES }, (_, landscape) => renderCharterPhoto(index, color, landscape))
