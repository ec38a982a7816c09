# Reads a formula as Homebrew does, once for each platform, and prints as JSON what Homebrew would fetch, install and start.
# Implements only the part of Homebrew's DSL that the formula uses.

require "json"
require "pathname"

class Formula
  class << self
    attr_accessor :machine

    def facts = (@facts ||= {})

    %i[desc homepage version license url sha256].each do |name|
      define_method(name) { |value| facts[name] = value }
    end

    { on_macos: :macos, on_linux: :linux, on_arm: :arm, on_intel: :intel }.each do |name, part|
      define_method(name) { |&block| block.call if Formula.machine.include?(part) }
    end

    def livecheck(&block) = facts[:livecheck] = Words.new(:url, :regex).read(&block)

    def service(&block)
      facts[:service] = Words.new(:run, :keep_alive, :working_dir, :log_path, :error_log_path).read(&block)
    end

    def test(&block) = facts[:test] = !block.nil?
  end

  def bin = Installing.new(self.class.facts)
end

Installing = Struct.new(:facts) do
  def install(*names) = facts[:installs] = names
end

# Collects the settings in a block. Each allowed name takes one value.
class Words < BasicObject
  def initialize(*words) = @words = words

  def read(&block)
    @found = {}
    instance_eval(&block)
    @found
  end

  def opt_bin = ::Pathname.new("opt_bin")
  def var = ::Pathname.new("var")

  def method_missing(name, *values)
    ::Kernel.raise ::NameError, name.to_s unless @words.include?(name) && values.size == 1
    @found[name] = values.first
  end
end

found = %i[macos linux].product(%i[arm intel]).to_h do |machine|
  Formula.machine = machine
  load ARGV.fetch(0)
  formula = Object.send(:remove_const, :Graphstead)
  formula.new.install
  [machine.join(" "), formula.facts]
end
puts JSON.generate(found)
