import { Anchor } from '@mantine/core'
import type { AnchorProps } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentPropsWithRef } from 'react'

const AnchorOfPage = (props: AnchorProps & Omit<ComponentPropsWithRef<'a'>, keyof AnchorProps>) => <Anchor inherit {...props} />

/** A text link to another page of the app. */
export const TextLink = createLink(AnchorOfPage)
