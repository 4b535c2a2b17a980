// The command line `batchlas`: devices, explain, run, bench. The only file that includes CLI11 (10 s to
// compile).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <new>
#include <string>
#include <vector>

#include "batchlas/introspect.hh"
#include "batchlas/status.hh"
#include "error.hh"
#include "parse_device.hh"
#include "report.hh"
#include "run.hh"

#if BATCHLAS_CLI_HAS_BENCH
int bench_main(int argc, char** argv);
#endif

namespace batchlas::cli {
namespace {

void print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
}

/// key=value words as call facts; `device` is none of them and goes to `device`.
CallFacts parse_facts(const std::vector<std::string>& words, std::string& device) {
  CallFacts facts;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size())
      throw UsageError(fmt::format("'{}': expected key=value", word));
    const std::string key = word.substr(0, equals), value = word.substr(equals + 1);
    if (key == "device" && device.empty()) {
      device = value;
    } else if (key == "device" || !facts.emplace(key, value).second) {
      throw UsageError(fmt::format("key '{}' is given twice", key));
    }
  }
  return facts;
}

void require_op(const std::string& op) {
  const auto known = ops();
  if (std::find(known.begin(), known.end(), op) == known.end())
    throw UsageError(fmt::format("unknown op '{}'; expected one of {}", op, fmt::join(known, ", ")));
}

struct ExplainArguments {
  std::string op, pin;
  std::vector<std::string> facts;
  bool json = false;
};

int explain_verb(const ExplainArguments& arguments) {
  require_op(arguments.op);
  std::string device;
  const CallFacts facts = parse_facts(arguments.facts, device);
  std::optional<ScopedPin> forced;
  if (!arguments.pin.empty()) forced.emplace(arguments.op, arguments.pin);
  const Explanation explanation = explain(arguments.op, facts, parse_device_facts(device));
  print(arguments.json ? explanation_json(explanation) : to_text(explanation));
  if (!explanation.error.empty()) throw UsageError(explanation.error);  // the page above says why
  return ok;
}

int devices_verb(bool json) {
  const auto devices = Device::all();
  print(json ? devices_json(devices) : devices_text(devices));
  return ok;
}

/// One sub-command of `run`, and where CLI11 puts what it reads.
struct RunVerb {
  const OpAdapter* adapter = nullptr;
  CLI::App* command = nullptr;
  RunValues values = {};
  std::string device = {}, pin = {};
};

void add_run_verb(CLI::App& parent, RunVerb& verb) {
  const OpAdapter& adapter = *verb.adapter;
  verb.command = parent.add_subcommand(adapter.name, adapter.help);
  verb.command->allow_extras(false);
  for (const FileOption& file : adapter.files) {
    auto* option = verb.command->add_option_function<std::string>(
        "--" + file.name, [&verb, &file](const std::string& path) { verb.values[file.name] = path; },
        file.help);
    option->type_name("FILE.npy")->required(file.required);
  }
  for (const WordOption& word : adapter.words) {
    verb.values[word.name] = word.values.front();
    verb.command->add_option("--" + word.name, verb.values[word.name], word.help)
        ->type_name(fmt::format("{}", fmt::join(word.values, "|")))
        ->default_str(word.values.front());
  }
  verb.command->add_option("--device", verb.device,
                           "cpu, cuda, cuda:1 or host:sm_90; default: the first GPU, else cpu");
  verb.command->add_option("--pin", verb.pin,
                           "kernel to run instead of the one from the tables (see explain)");
}

int run_verb(const RunVerb& verb) {
  for (const WordOption& word : verb.adapter->words) {
    const std::string& value = verb.values.find(word.name)->second;
    if (std::find(word.values.begin(), word.values.end(), value) == word.values.end())
      throw UsageError(
          fmt::format("--{} is '{}'; expected one of {}", word.name, value, fmt::join(word.values, ", ")));
  }
  return run(*verb.adapter, verb.values, verb.device, verb.pin);
}

int parse_and_run(int argc, char** argv) {
  CLI::App app("Batched dense linear algebra on CPU and GPU", "batchlas");
  app.set_version_flag("--version", "BatchLAS " + version());

  bool devices_as_json = false;
  auto* devices = app.add_subcommand("devices", "The devices that calls can run on");
  devices->add_flag("--json", devices_as_json, "print JSON");

  ExplainArguments explained;
  auto* explain_command = app.add_subcommand("explain", "Which kernel a call would run, and why");
  explain_command->add_option("op", explained.op, "the op, such as potrf")->required();
  explain_command->add_option(
      "facts", explained.facts,
      "key=value of the call (dtype=float uplo=L n=64 batch=8192), and device=sm_90 for one "
      "that is not here");
  explain_command->add_option("--pin", explained.pin, "explain under this pin");
  explain_command->add_flag("--json", explained.json, "print JSON");

  auto* run_command = app.add_subcommand("run", "Run an op on NumPy files");
  // A word that is no sub-command is kept, so that an unknown op can be named together with the known ones.
  run_command->allow_extras();
  std::vector<RunVerb> run_verbs;
  run_verbs.reserve(adapters().size());
  for (const OpAdapter* adapter : adapters())
    add_run_verb(*run_command, run_verbs.emplace_back(RunVerb{.adapter = adapter}));

#if BATCHLAS_CLI_HAS_BENCH
  app.add_subcommand("bench", "Time every kernel of an op against its rival (batchlas bench --help)");
#endif

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help and --version
    throw UsageError(error.what());
  }
  if (*devices) return devices_verb(devices_as_json);
  if (*explain_command) return explain_verb(explained);
  for (const RunVerb& verb : run_verbs)
    if (*verb.command) return run_verb(verb);
  if (!*run_command)
    throw UsageError("no verb given; expected one of devices, explain, run, bench (see --help)");
  const auto rest = run_command->remaining();
  if (!rest.empty()) require_op(rest.front());
  throw UsageError(fmt::format("run: no op given; expected one of {}", fmt::join(ops(), ", ")));
}

}  // namespace
}  // namespace batchlas::cli

int main(int argc, char** argv) {
  using namespace batchlas::cli;
  const auto fail = [](const char* what, ExitCode code) {
    fmt::print(stderr, "batchlas: error: {}\n", what);
    return int{code};
  };
#if BATCHLAS_CLI_HAS_BENCH
  if (argc > 1 && std::string_view(argv[1]) == "bench") return bench_main(argc - 1, argv + 1);
#endif
  try {
    return parse_and_run(argc, argv);
  } catch (const UsageError& error) {
    return fail(error.what(), bad_input);
  } catch (const std::invalid_argument& error) {
    return fail(error.what(), bad_input);
  } catch (const std::bad_alloc&) {
    return fail("not enough memory for these operands", bad_input);
  } catch (const std::exception& error) {
    return fail(error.what(), device_failed);
  }
}
