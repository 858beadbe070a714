import { IconArrowLeft } from '@tabler/icons-react'
import { useLocation, useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { MouseEvent } from 'react'

import { findPage } from '../../../contract/pages.ts'
import { findPreviousPage } from './page-history.ts'

import classes from './BackLink.module.css'
import layoutClasses from './Layout.module.css'
import textClasses from './Text.module.css'

interface BackLinkProps {
  /** The target if the previous page is unknown, and its name. */
  to: string
  label: string
  /** Whether a path belongs to the same record: going back skips those pages. */
  isOwnPage?: (pathname: string) => boolean
}

/** Leads back to the previous page with its filters and scroll position, otherwise to the record's list. */
export const BackLink = ({ to, label, isOwnPage }: BackLinkProps) => {
  const router = useRouter()
  const here = useLocation({ select: (location) => location.pathname })
  const from = useMemo(() => {
    const previous = findPreviousPage(router, isOwnPage ?? ((path) => path === here))
    const page = previous && findPage(previous.pathname)
    const name = page?.isBackTarget ? page.name : previous?.name
    return previous && name ? { ...previous, name } : null
  }, [router, here, isOwnPage])

  const goBack = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    if (from) router.history.go(-from.steps)
    else router.history.push(to)
  }
  return (
    <a
      href={from?.href ?? to}
      onClick={goBack}
      className={`${layoutClasses.inlineRow} ${textClasses.note} ${layoutClasses.targetHeight} ${classes.back}`}
      data-print="no"
    >
      <IconArrowLeft size={17} stroke={1.75} aria-hidden />
      {from?.name ?? label}
    </a>
  )
}
