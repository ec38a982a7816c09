import { Component, type ReactNode } from 'react'
import { FailureAlert } from './failure.tsx'

interface Props {
  /** The address of the page. An error is forgotten when it changes. */
  location: string
  children: ReactNode
}

/** Shows the error of a page that fails to render, until the user goes to another one. */
export class ErrorBoundary extends Component<Props, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override componentDidUpdate(before: Props) {
    if (before.location !== this.props.location && this.state.error !== undefined) this.setState({ error: undefined })
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <FailureAlert error={error} retry={() => this.setState({ error: undefined })} />
  }
}
