import { useRouter } from '@tanstack/react-router'
import type { MouseEvent } from 'react'

import { parseSearch } from '../../../../platform/web/search-params.ts'

import classes from './HelpText.module.css'

/** A section of a guide, as Markdown calls it in a link. */
export interface SectionAddress {
  readonly guide: string
  readonly section: string | undefined
}

/** The section that a link of a guide leads to; undefined for other links. */
const readLink = (target: EventTarget): SectionAddress | undefined => {
  const [path = '', search = ''] = (target as Element).closest('a')?.getAttribute('href')?.split('?') ?? []
  const [, guide] = /^\/help\/([\w-]+)$/.exec(path) ?? []
  if (guide === undefined) return undefined
  const { section } = parseSearch(search)
  return { guide, section: typeof section === 'string' ? section : undefined }
}

/** The text of a section; the server makes its HTML from the files of the guides, without any HTML in them. */
export const HelpText = ({ html, onOpen }: { html: string; onOpen?: (address: SectionAddress) => void }) => {
  const router = useRouter()
  const follow = (event: MouseEvent) => {
    const address = readLink(event.target)
    if (!address || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (onOpen) onOpen(address)
    else void router.navigate({ to: '/help/$guide', params: { guide: address.guide }, search: { section: address.section } })
  }
  return (
    // The links in it are pressed, also with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events
    <div className={classes.text} onClick={follow} dangerouslySetInnerHTML={{ __html: html }} />
  )
}
