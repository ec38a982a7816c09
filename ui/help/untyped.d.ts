// Types for the parts of Eleventy that the help pages use. Eleventy has no types of its own.

declare module '@11ty/eleventy' {
  import type { Markdown } from './markdown.ts'

  interface Page {
    inputPath: string
    filePathStem: string
  }

  export interface Config {
    ignores: Set<string>
    addGlobalData(name: string, value: unknown): void
    addTemplate(path: string, content: string): void
    addPassthroughCopy(paths: Record<string, string>): void
    addTransform(name: string, transform: (this: { page: Page }, content: string) => string): void
    amendLibrary(name: 'md', amend: (markdown: Markdown) => void): void
    setTemplateFormats(formats: string[]): void
    setUseGitIgnore(isUsed: boolean): void
  }

  export class Eleventy {
    constructor(input: string, output: string, options: { quietMode: boolean; config: (config: Config) => object })
    disableLogger(): void
    write(): Promise<void>
  }
}
